// Tells where a file of the agent has an error, while its last good version goes on.
import { byId, count, h, put, time } from './dom.js';

const every = 2000; // ms

/**
 * @param {(agent: any) => void} taken is told of a changed agent
 */
export function mountReload(store, api, taken) {
  let timer = 0;
  let last = '';

  async function look() {
    timer = 0;
    if (document.visibilityState === 'visible') {
      try {
        const agent = await api.agent();
        const text = JSON.stringify(agent);
        if (text !== last) taken(agent);
        last = text;
      } catch { /* the live connection tells of a service that is away */ }
    }
    next(store.get());
  }

  /** Only a service that loads changed files says how that went. */
  function next(s) {
    if (timer === 0 && s.agent?.reload !== undefined) timer = setTimeout(look, every);
  }

  store.watch(['agent'], (s) => {
    if (s.agent) last = JSON.stringify(s.agent);
    draw(s.agent?.reload);
    next(s);
  });
}

function draw(reload) {
  const box = byId('reload');
  const wrong = Boolean(reload?.error);
  const key = wrong ? JSON.stringify(reload) : '';
  if (box.dataset.shown === key) return;
  box.dataset.shown = key;
  box.hidden = !wrong;
  if (!wrong) return put(box);
  const problems = reload.problems ?? [];
  put(box, h('p', {}, h('strong', {}, 'The agent\'s files have an error. '), 'Its last good version goes on',
    reload.at ? [', since ', h('time', { datetime: reload.at }, time(reload.at))] : null, '.'),
  problems.length === 0 ? h('p', {}, reload.error) : h('ol', { class: 'problems', 'aria-label': count(problems.length, 'problem') }, problems.map((p) => h('li', {},
    h('code', {}, [p.file, p.line, p.column].filter(Boolean).join(':')), ' ', p.path && [h('code', { class: 'quiet' }, p.path), ' '],
    h('span', {}, p.message, p.hint && ': '), p.hint && h('span', { class: 'remedy' }, p.hint)))));
}
