// The person's conversations: find one, name it, erase it.
import { announce, byId, count, dialog, h, put, time } from './dom.js';

const page = 30;

export function mountSessions(store, api, { open, begin, fail }) {
  const field = h('input', { id: 'find', type: 'search', placeholder: 'Title, tag or id', autocomplete: 'off' });
  const list = h('ul', { class: 'sessions' });
  const more = h('button', { type: 'button', class: 'small', hidden: true }, 'More');
  const note = h('p', { class: 'hint', role: 'status' });
  put(byId('panel-sessions'), h('div', { class: 'card' },
    h('div', { class: 'head' }, h('h2', {}, 'Conversations'), h('button', { type: 'button', class: 'small', onclick: begin }, 'New')),
    h('form', { class: 'search', role: 'search', onsubmit: (e) => { e.preventDefault(); load(); } }, h('label', { for: 'find' }, 'Find'), field), note, list, more));

  let found = [];
  let offset = 0;
  let asking = 0;
  let typing;

  /** unasked: nobody waits for it, so a title that is being written stays. */
  async function load(from = 0, unasked = false) {
    const mine = ++asking;
    try {
      const answer = await api.sessions({ text: field.value.trim(), limit: page, offset: from || undefined, preview: true });
      if (mine !== asking || (unasked && list.querySelector('form'))) return;
      found = from ? [...found, ...answer.sessions] : answer.sessions;
      offset = answer.next_offset ?? 0;
      draw();
    } catch (err) {
      if (mine !== asking) return;
      found = [];
      draw();
      note.textContent = `${err.title}. ${err.message}`;
    }
  }

  function draw() {
    more.hidden = !offset;
    note.textContent = found.length > 0 ? '' : field.value.trim() ? 'No conversation is called that.' : 'No conversation yet.';
    put(list, found.map(row));
  }

  const nameOf = (s) => s.title || s.first_message || `Conversation ${s.session_id.slice(0, 8)}`;

  function row(s) {
    const here = s.session_id === store.get().session;
    return h('li', { 'data-session': s.session_id },
      h('button', { type: 'button', class: 'open', 'aria-current': here ? 'true' : null, onclick: () => open(s.session_id) },
        h('strong', {}, nameOf(s)),
        s.title && s.first_message && h('span', { class: 'quiet began' }, s.first_message),
        h('span', { class: 'quiet' }, `${count(s.turns, 'turn')} · ${time(s.updated_at)}`),
        s.intent && h('code', {}, s.intent),
        s.waiting_for_param ? h('span', { class: 'chip waiting' }, `waits for ${s.waiting_for_param}`) : s.outcome && h('span', { class: `chip ${s.outcome}` }, s.outcome),
        (s.tags ?? []).map((t) => h('span', { class: 'chip' }, t))),
      h('button', { type: 'button', class: 'small', 'aria-label': `Rename ${nameOf(s)}`, onclick: (e) => rename(s, e.target.closest('li')) }, 'Rename'),
      h('button', { type: 'button', class: 'small danger', 'aria-label': `Delete ${nameOf(s)}`, onclick: () => erase(s) }, 'Delete'));
  }

  function rename(s, li) {
    clearTimeout(typing); // a search that was begun before would draw over the title being written
    asking++;
    const input = h('input', { type: 'text', 'aria-label': 'Title', value: s.title ?? '', maxlength: 120 });
    const back = () => {
      draw();
      list.querySelector(`[data-session="${CSS.escape(s.session_id)}"] .small`)?.focus();
    };
    const save = async (e) => {
      e.preventDefault();
      try {
        const changed = await api.rename(s.session_id, input.value.trim());
        found = found.map((f) => (f.session_id === s.session_id ? { ...f, ...changed } : f));
        announce('Renamed.');
      } catch (err) {
        fail(err);
      }
      back();
    };
    put(li, h('form', { class: 'rename', onsubmit: save, onkeydown: (e) => e.key === 'Escape' && back() },
      input, h('button', { type: 'submit', class: 'small' }, 'Save'), h('button', { type: 'button', class: 'small', onclick: back }, 'Cancel')));
    input.select();
  }

  function erase(s) {
    dialog(`Delete "${nameOf(s)}"?`, (close) => [
      h('p', {}, `Its ${count(s.turns, 'turn')} and all that was remembered of them are erased. This cannot be undone.`),
      h('div', { class: 'choices' },
        h('button', { type: 'button', class: 'small', autofocus: true, onclick: close }, 'Keep it'),
        h('button', {
          type: 'button', class: 'primary danger', onclick: async () => {
            close();
            try {
              await api.erase(s.session_id);
              announce('Deleted.');
              if (s.session_id === store.get().session) begin();
            } catch (err) {
              fail(err);
            }
            await load();
            field.focus();
          },
        }, 'Delete')),
    ]);
  }

  more.addEventListener('click', () => load(offset));
  field.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(() => load(), 250);
  });
  store.watch(['agent'], (s) => {
    if (s.agent) return;
    found = []; // another key
    draw();
  });
  store.watch(['tab', 'session', 'turns', 'agent'], (s) => {
    if (s.tab === 'sessions' && s.agent && !list.querySelector('form')) load(0, true);
  });
}
