// What an author improves the agent with: messages to learn from, and how well its examples are told
// apart. Only services that offer it show the view.
import { byId, h, put } from './dom.js';
import { mountEvaluation } from './evaluation.js';
import { mountLabel } from './label.js';

export function mountImprove(store, api) {
  const label = h('div', { class: 'card', id: 'label' });
  const evaluation = h('div', { class: 'card', id: 'evaluation' });
  const tests = h('div', { class: 'card', id: 'tests', hidden: true });
  put(byId('panel-improve'), tests, label, evaluation);
  const offers = (s, what) => Boolean(s.agent?.scopes.includes('admin') && s.agent.authoring?.includes(what));
  const parts = [['label', label, mountLabel(store, api, label)], ['evaluate', evaluation, mountEvaluation(store, api, evaluation)]];

  store.watch(['agent', 'tab'], (s) => {
    const shown = parts.filter(([what, card]) => {
      card.hidden = !offers(s, what);
      return !card.hidden;
    });
    const results = s.agent?.reload?.tests;
    drawTests(tests, results);
    byId('tab-improve').hidden = shown.length === 0 && !results;
    if (!s.agent) return;
    if (byId('tab-improve').hidden && s.tab === 'improve') store.set({ tab: s.wide ? 'turn' : 'chat' });
    else if (s.tab === 'improve') for (const [, , part] of shown) part.show();
  });
}

/** The conversations that test the agent, as a service that runs them tells of them. */
function drawTests(card, tests) {
  card.hidden = !tests;
  const key = JSON.stringify(tests ?? null);
  if (card.dataset.shown === key) return;
  card.dataset.shown = key;
  if (!tests) return put(card);
  const sum = tests.running ? 'Running …' : tests.failed === 0 ? `All ${tests.passed} conversations passed.` : `${tests.failed} of ${tests.passed + tests.failed} conversations failed.`;
  put(card, h('h2', {}, 'Tests'), h('p', { role: 'status', class: tests.failed ? 'bad' : 'quiet' }, sum),
    h('ul', { class: 'failures' }, tests.failures.map((f) => h('li', {},
      h('h3', {}, f.conversation, f.turn ? `, turn ${f.turn}` : '', ' ', h('code', {}, [f.file, f.line].filter(Boolean).join(':'))),
      h('pre', { class: 'diff', tabindex: 0, 'aria-label': `Difference in ${f.conversation}` }, f.diff.split('\n').map((line) => h('span', { class: { '+': 'plus', '-': 'minus' }[line[0]] ?? '' }, `${line}\n`)))))));
}
