// Stored messages that were not understood, and the intent that each group of alike ones gets.
import { announce, count, h, put, time } from './dom.js';

const reasons = {
  corrected: 'taken back by the next message', undone: 'undone', fallback: 'not understood', clarified: 'asked "A or B?"',
  unsure: 'unsure', unanswered: 'no answer to the question',
};

export function mountLabel(store, api, card) {
  const status = h('p', { class: 'hint', role: 'status' });
  const list = h('ol', { class: 'groups' });
  const again = h('button', { type: 'button', class: 'small', onclick: () => load() }, 'Read again');
  put(card, h('div', { class: 'head' }, h('h2', {}, 'Messages to learn from'), again),
    h('p', { class: 'hint prose' }, 'What people said and the agent did not take, alike messages together. A value stands there as the {name} of its param.'), status, list);
  let read = false;
  let reading = false;

  async function load() {
    if (reading) return;
    reading = true;
    status.textContent = 'Reading the conversations …';
    try {
      const found = await api.labels();
      read = true;
      put(list, found.groups.map((g) => group(g, found.writable)));
      status.textContent = summary(found);
    } catch (err) {
      status.textContent = `${err.title}. ${err.message}`;
    }
    reading = false;
  }

  function summary(found) {
    if (found.groups.length === 0) return `Nothing to label in ${count(found.sessions, 'conversation')}.`;
    const read = `${count(found.groups.length, 'group')} from ${count(found.sessions, 'conversation')}${found.more ? ', and there are more' : ''}.`;
    return found.writable ? read : `${read} This service only shows them: slotway dev, and slotway serve --edit-agent, also write them beside the agent's file.`;
  }

  function group(g, writable) {
    const item = h('li', { class: 'group' });
    const name = `label-${g.group}`;
    const texts = g.texts.map((t, i) => ({ text: t.text, box: h('input', { type: 'checkbox', checked: i < 5, disabled: !writable }), count: t.count }));
    const shown = h('ul', { class: 'said-list' }, texts.map((t) => h('li', {}, h('label', { class: 'check' }, t.box, h('span', {}, t.text), t.count > 1 && h('span', { class: 'quiet' }, `${t.count} times`)))));
    put(item, h('h3', {}, `${count(g.size, 'message')}, ${Object.entries(g.reasons).map(([r, n]) => (n === g.size ? reasons[r] ?? r : `${n} ${reasons[r] ?? r}`)).join(', ')}`,
      h('time', { class: 'quiet', datetime: g.last }, time(g.last))), shown, writable && form(g, name, texts, item));
    return item;
  }

  function form(g, name, texts, item) {
    const field = h('input', { id: name, list: 'label-intents', autocomplete: 'off', spellcheck: 'false', value: g.candidates[0]?.intent ?? '' });
    const told = h('p', { class: 'hint', role: 'status' });
    const save = async (e) => {
      e.preventDefault();
      const chosen = texts.filter((t) => t.box.checked).map((t) => t.text);
      if (chosen.length === 0) {
        told.textContent = 'Choose a message.';
        return;
      }
      try {
        const done = await api.label({ group: g.group, intent: field.value.trim(), texts: chosen });
        announce(`${count(done.added.length, 'example')} added to ${done.intent}.`);
        put(item, h('h3', {}, `Added to ${done.intent}`), h('ul', {}, done.added.map((a) => h('li', {}, h('code', {}, a)))),
          done.warnings.map((w) => h('p', { class: 'warn' }, w)));
      } catch (err) {
        told.textContent = `${err.title}. ${err.message}`;
      }
    };
    return h('form', { class: 'label-form', onsubmit: save },
      h('label', { for: name }, 'Intent'), field, h('button', { type: 'submit', class: 'primary' }, 'Add as examples'),
      h('div', { class: 'candidates', role: 'group', 'aria-label': 'Intents that it may mean' }, g.candidates.map((c) => h('button', {
        type: 'button', class: 'option', title: c.went_on ? `${count(c.went_on, 'conversation')} went on with it` : `confidence ${c.confidence.toFixed(2)}`,
        onclick: () => { field.value = c.intent; field.focus(); },
      }, c.intent))), told);
  }

  const names = h('datalist', { id: 'label-intents' });
  card.append(names);
  store.watch(['agent'], (s) => {
    put(names, (s.agent?.intents ?? []).filter((i) => !i.system).map((i) => h('option', { value: i.id })));
    if (s.agent) return;
    read = false;
    put(list);
  });
  return { show: () => { if (!read) load(); } };
}
