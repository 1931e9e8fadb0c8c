// How well the agent's examples are told apart: each is classified by a model that has not seen it.
import { announce, count, h, put } from './dom.js';
import { confusion, curve } from './evaluation-charts.js';

const every = 500; // ms

export function mountEvaluation(store, api, card) {
  const body = h('div', { class: 'evaluation' });
  const status = h('p', { class: 'hint', role: 'status' });
  const bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Evaluation' });
  const start = h('button', { type: 'button', class: 'small', onclick: () => act(api.evaluate) }, 'Evaluate');
  const stop = h('button', { type: 'button', class: 'small', hidden: true, onclick: () => act(api.stopEvaluation) }, 'Stop');
  put(card, h('div', { class: 'head' }, h('h2', {}, 'Evaluation'), h('div', { class: 'actions' }, stop, start)),
    h('p', { class: 'hint prose' }, 'Each example is classified by a model of all the others. What is confused here is confused in conversations.'), status, bar, body);
  let timer = 0;
  let drawn = '';

  async function act(what) {
    try {
      take(await what());
    } catch (err) {
      status.textContent = `${err.title}. ${err.message}`;
    }
  }

  function take(v) {
    clearTimeout(timer);
    const running = v.state === 'running';
    if (running) timer = setTimeout(() => act(api.evaluation), every);
    if (bar.hidden && running) announce('The evaluation has begun.');
    if (!bar.hidden && v.state === 'done') announce('The evaluation is done.');
    bar.hidden = stop.hidden = !running;
    start.hidden = running;
    start.disabled = v.state === 'done' && !v.stale;
    bar.max = Math.max(1, v.total);
    bar.value = v.done;
    status.textContent = tell(v);
    const key = JSON.stringify(v.result ?? null);
    if (key === drawn) return;
    drawn = key;
    put(body, v.result && results(v.result));
  }

  store.watch(['agent'], (s) => {
    if (s.agent) return;
    clearTimeout(timer);
    drawn = '';
    put(body);
  });
  return { show: () => act(api.evaluation) };
}

function tell(v) {
  switch (v.state) {
    case 'running': return v.total ? `Step ${v.done} of ${v.total}.` : 'Beginning.';
    case 'failed': return `It failed: ${v.error}`;
    case 'cancelled': return 'It was stopped.';
    case 'done': return v.stale ? 'The agent has changed since: evaluate it again.' : 'Up to date: the agent has not changed since.';
    default: return 'Not evaluated yet. It takes about a minute.';
  }
}

const percent = (x) => `${Math.round(x * 1000) / 10} %`;

function results(r) {
  const weak = [...r.intents].sort((a, b) => a.f1 - b.f1).slice(0, 10);
  return [
    h('dl', { class: 'figures' }, [
      ['Right', percent(r.accuracy)], ['Mean F1 of the intents', r.macro_f1.toFixed(3)], ['Examples', String(r.messages)], ['Models', String(r.folds)],
    ].map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    h('h3', {}, 'Intents taken for each other'), confusion(r),
    h('h3', {}, 'The threshold'), curve(r),
    h('h3', {}, 'The weakest intents'), table('The weakest intents', ['Intent', 'F1', 'Precision', 'Recall', 'Examples'],
      weak.map((i) => [h('code', {}, i.intent), i.f1.toFixed(2), i.precision.toFixed(2), i.recall.toFixed(2), i.support])),
    h('h3', {}, 'The worst examples'), r.worst.length === 0 ? h('p', { class: 'hint' }, 'None is taken for another intent.')
      : [h('p', { class: 'hint' }, `${count(r.worst.length, 'example')}, the surest mistakes first: move, reword or remove them, or give both intents more examples.`),
        table('The worst examples', ['Example', 'Stands under', 'Taken for', 'Confidence', 'Place'],
          r.worst.slice(0, 40).map((m) => [m.text, h('code', {}, m.intent), h('code', {}, m.taken_for || 'none'), m.confidence.toFixed(2), h('code', { class: 'quiet' }, place(m.at))]))],
  ];
}

/** The file's name, line and column, without its folder. */
const place = (at) => at.slice(at.lastIndexOf('/') + 1);

function table(name, heads, rows) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name },
    h('table', {}, h('thead', {}, h('tr', {}, heads.map((t) => h('th', { scope: 'col' }, t)))),
      h('tbody', {}, rows.map((cells) => h('tr', {}, cells.map((c) => h('td', {}, c)))))));
}
