// A person in the place of the agent: who has the conversation, and what the person does with it.
import { announce, byId, h, put, time } from './dom.js';

const nameKept = 'slotway.person'; // for this tab only

/** @param {{refresh: () => Promise<void>, fail: (err: Error) => void}} page */
export function mountHandoff(store, api, { refresh, fail }) {
  const box = byId('person');
  const told = h('p', { class: 'told-person', role: 'status' });
  const by = h('input', { type: 'text', id: 'person-name', autocomplete: 'off', maxlength: 100, value: sessionStorage.getItem(nameKept) ?? '' });
  const text = h('textarea', { id: 'person-text', rows: 2, maxlength: 4000, 'aria-label': 'What you say to the user' });
  const take = h('form', { class: 'controls', onsubmit: (e) => { e.preventDefault(); act('take'); } },
    h('label', { for: 'person-name' }, 'Your name'), by, h('button', { type: 'submit', class: 'primary small', id: 'take' }, 'Take over'));
  const answer = h('form', { class: 'answer', onsubmit: (e) => { e.preventDefault(); if (text.value.trim() !== '') act('answer'); } },
    text, h('div', { class: 'controls' },
      h('button', { type: 'submit', class: 'primary small', id: 'answer' }, 'Answer'),
      h('button', { type: 'button', class: 'small', id: 'give-back', onclick: () => act('give_back') }, 'Give back to the agent')));
  put(box, told, take, answer);

  let busy = false;
  /** Does something, once: the same id again would have no second effect. */
  async function act(action) {
    const { session } = store.get();
    if (busy || session === null) return;
    busy = true;
    const name = by.value.trim();
    const body = { action, message_id: crypto.randomUUID() };
    if (action === 'take') sessionStorage.setItem(nameKept, name);
    if (action === 'take' && name) body.by = name;
    if (action === 'answer') body.text = text.value.trim();
    try {
      await api.handoff(session, body);
      if (action === 'answer') text.value = '';
      announce({ take: 'You have taken the conversation over.', answer: 'Answered.', give_back: 'The agent has the conversation again.' }[action]);
      if (action === 'take') asked = false;
    } catch (err) {
      fail(err);
    } finally {
      busy = false;
    }
    await refresh();
    if (action !== 'give_back' && !answer.hidden) text.focus();
  }

  let asked = false; // the person wants to take it over, though nobody has called for one
  let shown = null;
  store.watch(['standing', 'session', 'missing', 'agent'], (s) => {
    if (s.session !== shown) {
      [shown, asked] = [s.session, false];
      text.value = '';
    }
    const held = s.session !== null && s.missing === null ? s.standing?.handoff ?? null : null;
    const may = s.agent?.scopes.includes('handoff') ?? false;
    box.dataset.status = held?.status ?? '';
    box.hidden = held === null && !asked;
    const words = saysOf(held);
    if (told.textContent !== words) told.textContent = words;
    take.hidden = !may || held?.status === 'taken';
    answer.hidden = !may || held?.status !== 'taken';
    byId('do-take').hidden = !may || held?.status === 'taken';
  });

  byId('do-take').addEventListener('click', () => {
    asked = true;
    byId('actions').open = false;
    box.hidden = false;
    by.focus();
  });
}

function saysOf(held) {
  switch (held?.status) {
    case 'taken':
      return `${held.by ?? 'A person'} has taken over this conversation at ${time(held.since)}. The agent is silent.`;
    case 'wanted':
      return `This conversation waits for a person since ${time(held.since)}.`;
    default:
      return 'The agent will be silent until you give the conversation back.';
  }
}

/** Who said a message in the agent's place: a name, perhaps empty; undefined: the agent did. */
export const personOf = (m) => (m.role === 'agent' && m.metadata && Object.hasOwn(m.metadata, 'person') ? m.metadata.person : undefined);
