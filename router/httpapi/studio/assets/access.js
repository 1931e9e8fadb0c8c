// Who asks: the key that goes with each call.
import { byId, dialog, h } from './dom.js';
import { credentials } from './api.js';

// By code of the problem.
const titles = { user_required: 'For which user does this key speak?', bad_user: 'That is no user\'s name' };

/** @param {() => void} changed is told of another key */
export function mountAccess(changed) {
  let shown = null;

  /** Asks for a key. problem: why it is needed; null when the person wants to see it. */
  function ask(problem) {
    if (shown?.isConnected) return;
    const key = h('input', { type: 'password', id: 'key', autocomplete: 'off', spellcheck: 'false', value: credentials.key });
    const user = h('input', { type: 'text', id: 'user', autocomplete: 'off', spellcheck: 'false', value: credentials.user });
    shown = dialog(titles[problem?.code] ?? (problem ? 'This service asks for a key' : 'Key'), (close) => {
      const save = (e) => {
        e.preventDefault();
        credentials.set(key.value.trim(), user.value.trim());
        close();
        changed();
      };
      const forget = () => {
        credentials.set('', '');
        close();
        changed();
      };
      return [
        problem?.status === 401 && credentials.key && h('p', { class: 'bad' }, 'The key in use is not known to the service.'),
        h('form', { class: 'fields', onsubmit: save },
          h('label', { for: 'key' }, 'Key or token'), key,
          h('label', { for: 'user' }, 'User, for the key of a service that speaks for many'), user,
          h('p', { class: 'hint' }, 'Kept for this tab only, and never part of an address.'),
          h('div', { class: 'choices' },
            credentials.key && h('button', { type: 'button', class: 'small', onclick: forget }, 'Forget it'),
            h('button', { type: 'button', class: 'small', onclick: close }, 'Cancel'),
            h('button', { type: 'submit', class: 'primary' }, 'Use this key'))),
      ];
    });
    (problem && problem.status !== 401 ? user : key).select();
  }

  byId('access').addEventListener('click', () => ask(null));
  return { ask };
}
