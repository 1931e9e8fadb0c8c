// The turns of the conversation as a line to scrub along.
import { byId, h, put, time } from './dom.js';
import { turnOf } from './store.js';

export function mountTimeline(store, conversation) {
  const range = h('input', { type: 'range', id: 'scrub', min: 0, step: 1, 'aria-label': 'Turn of the conversation' });
  const previous = h('button', { type: 'button', class: 'tool', id: 'previous', 'aria-label': 'Previous turn', title: 'Previous turn' }, '‹');
  const next = h('button', { type: 'button', class: 'tool', id: 'next', 'aria-label': 'Next turn', title: 'Next turn' }, '›');
  const newest = h('button', { type: 'button', class: 'small', id: 'newest' }, 'Newest');
  const what = h('p', { class: 'what', id: 'turn-title' });
  const marks = h('div', { class: 'marks', 'aria-hidden': 'true' });
  put(byId('timeline'), h('div', { class: 'timeline', role: 'group', 'aria-label': 'Timeline' },
    what, h('div', { class: 'scrub' }, previous, h('div', { class: 'track' }, range, marks), next, newest)));

  const index = (s) => s.turns.indexOf(turnOf(s));
  const go = (i) => {
    const turn = store.get().turns[i];
    if (turn) conversation.select(turn.turn);
  };
  range.addEventListener('input', () => go(Number(range.value)));
  previous.addEventListener('click', () => go(index(store.get()) - 1));
  next.addEventListener('click', () => go(index(store.get()) + 1));
  newest.addEventListener('click', () => conversation.select(null));

  store.watch(['turns', 'selected', 'loading'], (s) => {
    const at = index(s);
    const turn = s.turns[at];
    range.max = Math.max(0, s.turns.length - 1);
    range.value = Math.max(0, at);
    range.disabled = s.turns.length < 2;
    range.setAttribute('aria-valuetext', turn ? `Turn ${turn.turn}: ${described(turn)}` : 'No turn yet');
    // Not disabled: what has the focus must not lose it at the end of the line.
    previous.setAttribute('aria-disabled', String(at <= 0));
    for (const b of [next, newest]) b.setAttribute('aria-disabled', String(at === s.turns.length - 1));
    put(what, ...title(s, turn));
    // One mark a turn, as long as they can be told apart.
    put(marks, s.turns.length <= 60 && s.turns.map((t) => h('span', { class: `${t.outcome}${t === turn ? ' here' : ''}${t.undone ? ' undone' : ''}` })));
  });
  return { step: (by) => go(index(store.get()) + by) };
}

function title(s, turn) {
  if (!turn) return [h('strong', {}, 'No turn yet'), h('span', { class: 'quiet' }, s.loading ? 'Reading the conversation' : 'What you say begins the first one.')];
  return [
    h('strong', {}, `Turn ${turn.turn}`, h('span', { class: 'quiet' }, ` of ${s.turns.at(-1).turn}`)),
    turn.action ? h('span', {}, actions[turn.action]) : h('code', {}, turn.intent || 'no intent'),
    h('span', { class: `chip ${turn.outcome}` }, turn.undone ? 'taken back' : turn.outcome),
    h('time', { class: 'quiet', datetime: turn.at }, time(turn.at)),
  ];
}

const actions = { take: 'a person took over', answer: 'a person answered', give_back: 'a person gave back', held: 'said to a person' };

function described(turn) {
  return `${actions[turn.action] ?? (turn.intent || 'no intent')}, ${turn.undone ? 'taken back' : turn.outcome}`;
}
