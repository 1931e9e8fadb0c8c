// What is known after the turn looked at, what is waited for, and the plan.
import { byId, count, h, inline, put } from './dom.js';
import { atEnd, turnOf } from './store.js';

export function mountState(store, conversation) {
  store.watch(['turns', 'selected', 'standing', 'agent', 'reveal'], (s) => {
    const turn = turnOf(s);
    const standing = atEnd(s) ? s.standing : turn?.state;
    put(byId('state'),
      h('h2', {}, 'What it knows'),
      params(s, standing?.params ?? {}, conversation),
      h('h3', {}, 'Waits for'), waiting(s, standing ?? {}),
      h('h3', {}, 'Plan'), plan(standing, atEnd(s)));
  });
}

function params(s, known, conversation) {
  const names = Object.keys(known).filter((n) => known[n] !== null).sort();
  if (names.length === 0) return h('p', { class: 'hint' }, 'No param has a value.');
  const about = new Map((s.agent?.params ?? []).map((p) => [p.name, p]));
  return h('table', {},
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Param'), h('th', { scope: 'col' }, 'Value'), h('th', { scope: 'col' }, 'Since'))),
    h('tbody', {}, names.map((name) => h('tr', { 'data-param': name },
      h('th', { scope: 'row' }, h('code', {}, name)),
      h('td', {}, value(known[name], about.get(name), s.reveal)),
      h('td', {}, since(s, name, conversation))))));
}

function value(v, about, revealed) {
  if (about?.redacted && !revealed) return h('span', { class: 'masked' }, inline(v), h('span', { class: 'tag' }, 'masked'));
  return h('span', { class: 'value' }, inline(v), about?.redacted && h('span', { class: 'tag' }, 'redacted'));
}

/** The turn that gave a param the value it has after the turn looked at. */
function since(s, name, conversation) {
  const until = s.turns.indexOf(turnOf(s));
  const of = (i) => s.turns[i]?.state?.params ?? {};
  const at = (i) => JSON.stringify((Object.hasOwn(of(i), name) ? of(i)[name] : null) ?? null); // a param may be called constructor
  let first = until;
  while (first > 0 && at(first - 1) === at(until)) first--;
  const turn = s.turns[first]?.turn;
  // Below the first turn that was read, it may be older.
  if (!turn || (first === 0 && turn > 1)) return '';
  return h('button', { type: 'button', class: 'link-button', 'aria-label': `Look at turn ${turn}`, onclick: () => conversation.select(turn) }, `turn ${turn}`);
}

function waiting(s, standing) {
  const param = standing.waiting_for_param;
  const question = standing.plan?.question;
  if (standing.confirming) return h('p', { class: 'waits' }, 'a yes or no before ', h('code', {}, standing.confirming), ' is called');
  if (param) {
    const label = s.agent?.params?.find((p) => p.name === param)?.label;
    return h('p', { class: 'waits' }, h('code', {}, param), label && label !== param && h('span', { class: 'quiet' }, ` ${label}`), tries(question), options(question));
  }
  if (question) return h('p', { class: 'waits' }, `an answer (${question.kind})`, tries(question), options(question));
  return h('p', { class: 'hint' }, 'Nothing: the next message may be about anything.');
}

const tries = (q) => (q?.attempts > 0 ? h('span', { class: 'quiet' }, `, ${count(q.attempts, 'reply', 'replies')} could not be read`) : null);

const options = (q) => (q?.options?.length > 0 ? h('span', { class: 'options' }, q.options.map((o) => h('span', { class: 'chip' }, o.label ?? inline(o.value ?? o)))) : null);

function plan(standing, end) {
  if (!standing?.plan) return h('p', { class: 'hint' }, end || !standing ? 'No task is under way.' : 'Not kept for this turn.');
  const { active, suspended, queued } = standing.plan;
  const frames = [[active, 'active'], ...(suspended ?? []).toReversed().map((f) => [f, 'suspended']), ...(queued ?? []).map((f) => [f, 'queued'])];
  const list = frames.filter(([f]) => f).map(([f, kind]) => frame(f, kind));
  return list.length > 0 ? h('ol', { class: 'frames' }, list) : h('p', { class: 'hint' }, 'No task is under way.');
}

function frame(f, kind) {
  const done = Object.keys(f.done ?? {}).filter((step) => f.done[step]).map(bare);
  const more = [['done', done], ['own params', f.params], ['attempts', f.attempts], ['skipped', f.skipped]].filter(([, v]) => v && Object.keys(v).length > 0);
  return h('li', { class: kind },
    h('p', {}, h('strong', {}, f.intent), h('span', { class: 'chip' }, f.answer ? `${kind}, in passing` : kind), f.step && h('span', { class: 'quiet' }, 'at ', h('code', {}, bare(f.step)))),
    more.length > 0 && h('dl', {}, more.map(([k, v]) => [h('dt', {}, k), h('dd', {}, Array.isArray(v) ? v.join(', ') : pairs(v))])),
    Object.keys(f.results ?? {}).length > 0 && h('details', {}, h('summary', {}, `results: ${Object.keys(f.results).join(', ')}`), h('pre', { tabindex: 0 }, JSON.stringify(f.results, null, 2))));
}

/** A step's id without the hash that keeps it apart from others of its kind. */
const bare = (step) => step.replace(/\.[0-9a-f]{8}$/, '');

const pairs = (map) => h('dl', {}, Object.entries(map).map(([k, v]) => [h('dt', {}, h('code', {}, k)), h('dd', {}, inline(v))]));
