/* Light, dark, or as the system says. Remembered in this browser, if it lets us. */
export type Theme = 'auto' | 'light' | 'dark';

const KEY = 'paravent-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

class ThemeState {
  choice: Theme = $state('auto');
  systemDark: boolean = $state(system.matches);
  dark: boolean = $derived(this.choice === 'dark' || (this.choice === 'auto' && this.systemDark));
}

export const theme = new ThemeState();

function show(): void {
  document.documentElement.dataset.theme = theme.dark ? 'dark' : 'light';
}

export function beginTheme(): void {
  try {
    const kept = localStorage.getItem(KEY);
    if (kept === 'light' || kept === 'dark') theme.choice = kept;
  } catch {
    /* no storage: the system decides */
  }
  system.addEventListener('change', (event) => {
    theme.systemDark = event.matches;
    show();
  });
  show();
}

export function chooseTheme(choice: Theme): void {
  theme.choice = choice;
  try {
    if (choice === 'auto') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, choice);
  } catch {
    /* it holds until the page is closed */
  }
  show();
}
