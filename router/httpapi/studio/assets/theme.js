// Light or dark: the system's choice unless the person made one.
import { byId } from './dom.js';

const key = 'slotway.theme';
const names = { system: 'System theme', light: 'Light theme', dark: 'Dark theme' };
const order = ['system', 'light', 'dark'];

export function mountTheme() {
  const button = byId('theme');
  const show = () => {
    const chosen = document.documentElement.dataset.theme ?? 'system';
    byId('theme-name').textContent = names[chosen];
    button.title = names[chosen];
  };
  button.addEventListener('click', () => {
    const chosen = document.documentElement.dataset.theme ?? 'system';
    const next = order[(order.indexOf(chosen) + 1) % order.length];
    if (next === 'system') {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem(key);
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem(key, next);
    }
    show();
  });
  show();
}
