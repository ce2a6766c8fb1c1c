import './styles/palette.css';
import './styles/base.css';
import './styles/chart.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { begin } from './lib/state.svelte';
import { beginTheme } from './lib/theme.svelte';

beginTheme();
begin();
mount(App, { target: document.getElementById('app') as HTMLElement });
