/* Quiet messages at the lower edge that go by themselves. */
export type Toast = { id: number; text: string; bad: boolean; act: { label: string; run: () => void } | null };

class Toasts {
  list: Toast[] = $state([]);
  held: boolean = $state(false); /* pointed at or focused: nothing goes */
}

export const toasts = new Toasts();
let last = 0;

export function dismiss(id: number): void {
  toasts.list = toasts.list.filter((toast) => toast.id !== id);
}

export function toast(text: string, options: { bad?: boolean; act?: Toast['act'] } = {}): void {
  const one: Toast = { id: ++last, text, bad: options.bad ?? false, act: options.act ?? null };
  /* A button of an older message would do something else by now. */
  const kept = one.act ? toasts.list.filter((other) => other.act === null) : toasts.list;
  toasts.list = [...kept.slice(-1), one];
  const leave = (): void => {
    if (toasts.held) setTimeout(leave, 1000);
    else dismiss(one.id);
  };
  setTimeout(leave, one.bad ? 12000 : 7000);
}
