// What the memory tiers hold, and what a model would be told.
import { byId, count, h, put, time } from './dom.js';

export function mountMemory(store, conversation) {
  const field = h('input', { id: 'recall', type: 'search', placeholder: 'What might be said next', autocomplete: 'off' });
  const form = h('form', { class: 'search' },
    h('label', { for: 'recall' }, 'If this were said now'), field, h('button', { type: 'submit', class: 'small' }, 'Look'));
  const body = h('div');
  put(byId('panel-memory'), h('div', { class: 'card' }, h('h2', {}, 'Memory'),
    h('p', { class: 'hint' }, 'What a model would be told of this conversation. Turns that need no model are not told, and do not pay for it.'), form), body);
  const look = () => conversation.remember(field.value.trim());
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    look();
  });
  // Assembled when it is looked at, and again after each turn meanwhile.
  store.watch(['tab', 'turns', 'session', 'reveal'], (s) => {
    if (s.tab === 'memory') look();
  });
  store.watch(['context', 'session'], (s) => put(body, tiers(s)));
}

function tiers(s) {
  const c = s.context;
  if (s.session === null) return card('Nothing to remember yet', h('p', { class: 'hint' }, 'Memory begins with the first message.'));
  if (!c) return null;
  if (c.problem) return card(c.problem.title ?? 'Not available', h('p', { class: 'hint' }, c.problem.message));
  return [
    c.failed?.length > 0 && card('Left out', h('p', { class: 'bad' }, `These tiers failed and were left out: ${c.failed.join(', ')}.`)),
    c.system?.length > 0 && card('Pinned', messages(c.system)),
    card('Facts', facts(c.facts ?? [])),
    card('Narrative', narrative(c)),
    card('Recalled', recalled(c.recalled ?? [])),
    c.kept?.length > 0 && card('Kept word for word', messages(c.kept)),
    card('Recent window', c.recent?.length > 0 ? messages(c.recent) : h('p', { class: 'hint' }, 'No message is in the window.')),
    c.messages?.length > 0 && h('details', { class: 'card' }, h('summary', {}, `As a model would be told (${count(c.messages.length, 'message')})`),
      h('ol', { class: 'told' }, c.messages.map((m) => h('li', {}, h('span', { class: 'chip' }, m.role), h('pre', { tabindex: 0 }, m.text))))),
  ];
}

const card = (title, ...body) => h('section', { class: 'card' }, h('h3', {}, title), ...body);

function facts(list) {
  if (list.length === 0) return h('p', { class: 'hint' }, 'No facts: the summary tier is off, or has had no reason to begin.');
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Facts' }, h('table', {},
    h('thead', {}, h('tr', {}, ['Fact', 'Value', 'Kind', 'From', 'Since'].map((t) => h('th', { scope: 'col' }, t)))),
    h('tbody', {}, list.map((f) => h('tr', { class: f.valid_to ? 'past' : '' },
      h('th', { scope: 'row' }, h('code', {}, f.key)), h('td', {}, f.value), h('td', {}, f.category), h('td', {}, `${f.origin}, message ${f.source}`), h('td', {}, time(f.valid_from)))))));
}

function narrative(c) {
  if (!c.narrative) return h('p', { class: 'hint' }, 'None: the whole conversation is in the recent window, or the summary tier is off.');
  return [h('p', { class: 'prose' }, c.narrative), c.summarized_up_to > 0 && h('p', { class: 'hint' }, `Tells messages 1 to ${c.summarized_up_to}; what follows is in the window, word for word.`)];
}

function recalled(list) {
  if (list.length === 0) return h('p', { class: 'hint' }, 'Nothing older has to do with it, or recall is off.');
  return h('ol', { class: 'recalled' }, list.map((r) => h('li', {},
    h('p', { class: 'text' }, r.message.text),
    h('p', { class: 'quiet' }, `${r.message.role}, ${time(r.message.timestamp)}, score ${r.score.toFixed(2)}`, r.why?.length > 0 && ` (${r.why.map((w) => `${w.part} ${w.score.toFixed(2)}`).join(', ')})`))));
}

function messages(list) {
  return h('ol', { class: 'window' }, list.map((m) => h('li', {}, h('span', { class: `chip ${m.role}` }, m.name ?? m.role), h('span', { class: 'text' }, m.text))));
}
