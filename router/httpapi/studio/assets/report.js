// What became of the tasks in the conversations of whoever asks, and what was not understood.
import { announce, byId, count, h, put, time } from './dom.js';

const ranges = [['24h', 'the last day'], ['7d', 'the last 7 days'], ['30d', 'the last 30 days'], ['365d', 'the last year']];

const fates = [
  ['done', 'Done', 'its plan came to its end'],
  ['declined', 'Declined', 'no to its confirmation'],
  ['stopped', 'Stopped', 'stopped, dropped or cleared'],
  ['handed_off', 'Handed off', 'a person took over'],
  ['failed', 'Failed', 'a call failed for good, or its effect is unknown'],
  ['abandoned', 'Abandoned', 'left open, and silence since'],
  ['open', 'Open', 'under way or interrupted'],
];

const reasons = { fallback: 'no task was recognised', unanswered: 'no answer to the question' };

export function mountReport(store, api) {
  const card = h('div', { class: 'card', id: 'report' });
  const range = h('select', { id: 'report-range', onchange: () => load() }, ranges.map(([value, name]) => h('option', { value, selected: value === '7d' }, name)));
  const again = h('button', { type: 'button', class: 'small', onclick: () => load() }, 'Read again');
  const status = h('p', { class: 'hint', role: 'status' });
  const body = h('div', { class: 'report' });
  put(card, h('div', { class: 'head' }, h('h2', {}, 'What became of the tasks'), h('div', { class: 'actions' }, h('label', { for: 'report-range', class: 'hidden' }, 'Range'), range, again)),
    h('p', { class: 'hint prose' }, 'Tasks of your conversations that were begun in the range, each counted once, and how they stand now. A value in a message stands there as the {name} of its param.'), status, body);
  put(byId('panel-report'), card);
  let asked = 0; // readings begun; only the last one is shown
  let read = false;

  async function load() {
    const mine = ++asked;
    status.textContent = 'Reading the conversations …';
    try {
      const r = await api.report({ since: range.value });
      if (mine !== asked) return;
      read = true;
      status.textContent = summary(r);
      announce(status.textContent);
      put(body, tasks(r.tasks), r.tasks.map((t) => details(t, r.tasks.length <= 5)), unanswered(r.unanswered), failures('Failed calls', r.failures));
    } catch (err) {
      if (mine !== asked) return;
      read = false;
      status.textContent = `${err.title}. ${err.message}`;
    }
  }

  store.watch(['agent', 'tab'], (s) => {
    if (!s.agent) {
      asked++;
      read = false;
      status.textContent = '';
      put(body);
    } else if (s.tab === 'report' && !read) {
      read = true;
      load();
    }
  });
}

function summary(r) {
  const told = [`${count(r.sessions, 'conversation')}, ${count(r.turns, 'turn')}`];
  if (r.handoffs) told.push(`${count(r.handoffs, 'turn')} handed to a person`);
  if (r.taken) told.push(`taken over ${count(r.taken, 'time')}`);
  if (r.damaged_sessions) told.push(`${count(r.damaged_sessions, 'conversation')} cannot be read: ${r.damaged.map((d) => d.session_id).join(', ')}`);
  if (r.more) told.push('there are more that were not read');
  return `${told.join('; ')}.`;
}

/** A table with a caption, whose first column names the rows. */
function table(caption, heads, rows) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': caption },
    h('table', { class: 'counts' }, h('caption', {}, caption),
      h('thead', {}, h('tr', {}, heads.map(([text, title]) => h('th', { scope: 'col', title }, text)))),
      h('tbody', {}, rows.map(([name, ...cells]) => h('tr', {}, h('th', { scope: 'row' }, h('code', {}, name)), cells.map((c) => h('td', {}, c)))))));
}

function tasks(list) {
  if (list.length === 0) return h('p', {}, 'No task was begun.');
  return table('Tasks', [['Task'], ['Begun', 'its plan became active'], ...fates.map(([, name, title]) => [name, title]), ['Turns', 'the mean of those that were done']],
    list.map((t) => [t.intent, t.begun, ...fates.map(([key]) => (key === 'done' ? share(t.done, t.begun) : zero(t[key]))), t.done ? t.turns_per_done.toFixed(1) : '–']));
}

const zero = (n) => (n === 0 ? h('span', { class: 'quiet' }, '0') : n);
const share = (n, of) => [String(n), ' ', h('span', { class: 'quiet' }, `${Math.round((100 * n) / of)} %`)];

/** What a task asked and met; nothing if it asked nothing. */
function details(t, open) {
  const c = t.confirmations;
  if (t.params.length + t.abandoned_at.length + t.failures.length + c.asked + t.corrections === 0) return null;
  const told = [`${count(t.turns, 'turn')} in all`];
  if (t.corrections) told.push(count(t.corrections, 'correction'));
  if (c.asked) told.push(`confirmation asked ${count(c.asked, 'time')}: yes ${c.yes}, no ${c.no}`);
  return h('details', { open: open || t.abandoned > 0 }, h('summary', {}, h('code', {}, t.intent), ` · ${told.join(' · ')}`),
    t.params.length > 0 && table(`Params of ${t.intent}`, [['Param'], ['Asked'], ['Asked again', 'once more in the same task'], ['Corrected']],
      t.params.map((p) => [p.param, p.asked, zero(p.asked_again), zero(p.corrected)])),
    t.abandoned_at.length > 0 && [h('h3', {}, 'Where it was abandoned'), h('ul', {}, t.abandoned_at.map((p) => h('li', {}, place(p), `: ${p.count}`)))],
    failures(`Failed calls of ${t.intent}`, t.failures));
}

const places = {
  ask: 'asked for', choose: 'at the choice of', confirm: 'at the confirmation of', clarify: 'at "A or B?"', change: 'asked what should be different',
  handoff: 'at the offer of a person', resume: 'at the offer to go on', correct: 'at the question whether to replace', retry: 'after a failed call of', '': 'without a question',
};

function place(p) {
  const what = { ask: p.param, choose: p.param || p.step, confirm: p.tool || p.step, correct: p.param, retry: p.step }[p.waiting_for];
  return [places[p.waiting_for] ?? p.waiting_for, what && [' ', h('code', {}, what)]];
}

function failures(caption, list) {
  if (list.length === 0) return null;
  return table(caption, [['Tool'], ['Code'], ['Calls']], list.map((f) => [f.tool, [h('code', {}, f.code), f.status === 'unknown' && ' (its effect is unknown)'], f.count]));
}

function unanswered(u) {
  if (u.messages === 0) return h('p', {}, 'Every message was understood.');
  return [h('h3', {}, `Not understood: ${count(u.messages, 'message')}`),
    h('ol', { class: 'groups' }, u.groups.map((g) => h('li', { class: 'group' },
      h('h3', {}, `${count(g.size, 'message')} in ${count(g.sessions, 'conversation')}, ${Object.entries(g.reasons).map(([r, n]) => (n === g.size ? reasons[r] ?? r : `${n} ${reasons[r] ?? r}`)).join(', ')}`,
        h('time', { class: 'quiet', datetime: g.last }, time(g.last))),
      h('ul', { class: 'said-list' }, g.texts.map((t) => h('li', {}, t.text, t.count > 1 && h('span', { class: 'quiet' }, ` ${t.count} times`))))))),
    u.more && h('p', { class: 'hint' }, 'There are more.')];
}
