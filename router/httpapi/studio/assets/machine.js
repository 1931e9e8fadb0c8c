// The state machine as a picture, with the way of one turn lit and its steps numbered.
import { byId, h, put, svg } from './dom.js';
import { layout, statesOf } from './machine-layout.js';
import { untold } from './store.js';

const tall = 36; // height of a state

export function mountMachine(store) {
  store.watch(['agent', 'trace', 'turns', 'wide'], (s) => {
    const machine = s.agent?.machine;
    if (!machine) return put(byId('machine'));
    const path = wayOf(s, machine);
    put(byId('machine'), picture(machine, path, layout(machine, s.wide)), words(s, path));
    place(byId('machine'));
  });
}

/**
 * The states of the turn looked at, from the one in which the turn before it rested.
 * @returns {string[]}
 */
function wayOf(s, machine) {
  if (!s.trace?.path?.length) return [];
  const before = s.turns.findLast((t) => t.turn < s.trace.turn)?.outcome ?? machine.initial;
  const first = s.trace.path[0];
  const joins = machine.transitions.some((t) => t.from === before && t.to === first);
  return joins ? [before, ...s.trace.path] : s.trace.path;
}

/** What the picture shows, for whoever does not see it. */
function words(s, path) {
  if (path.length > 0) {
    return h('p', { class: 'way' }, h('span', { class: 'hidden' }, 'The way of this turn: '),
      path.map((state, i) => [i > 0 && h('span', { class: 'quiet' }, ' → '), h('span', { class: 'nowrap' }, state)]));
  }
  if (s.trace?.gone) return h('p', { class: 'hint' }, untold(s.trace));
  return h('p', { class: 'hint' }, s.turns.length > 0 ? ' ' : 'The way of each turn lights up here.');
}

function picture(machine, path, plan) {
  const steps = new Map(); // "from>to" -> numbers of the steps that took it
  for (let i = 1; i < path.length; i++) {
    const name = `${path[i - 1]}>${path[i]}`;
    steps.set(name, [...(steps.get(name) ?? []), i]);
  }
  const edges = machine.transitions.map((t) => edge(plan, t, steps.get(`${t.from}>${t.to}`)));
  edges.sort((a, b) => a.lit - b.lit); // what is lit lies on top
  return svg('svg', { viewBox: `0 0 ${plan.width} ${plan.height}`, class: 'graph', role: 'img', 'aria-label': 'State machine' },
    svg('defs', {}, arrow('arrow', 'tip', 8), arrow('arrow-lit', 'tip lit', 10)),
    edges.map((e) => e.line),
    statesOf(machine).map((s) => state(plan, s, { lit: path.includes(s), last: path.at(-1) === s, rests: machine.resting.includes(s) })),
    edges.map((e) => e.badge));
}

const arrow = (id, kind, size) => svg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerUnits: 'userSpaceOnUse', markerWidth: size, markerHeight: size, orient: 'auto-start-reverse' },
  svg('path', { d: 'M0 0.5 L8 4 L0 7.5 Z', class: kind }));

function state(plan, name, { lit, last, rests }) {
  const [x, y] = plan.at[name];
  const kind = ['state', lit && 'lit', last && 'last', rests && 'rests'].filter(Boolean).join(' ');
  return svg('g', { class: kind, 'data-state': name },
    svg('rect', { x: x - plan.half, y: y - tall / 2, width: 2 * plan.half, height: tall, rx: rests ? tall / 2 : 7 }),
    svg('text', { x, y: y + 4.5 }, name));
}

function edge(plan, t, numbers) {
  const name = `${t.from}>${t.to}`;
  const lit = Boolean(numbers);
  const line = svg('path', {
    d: plan.ways[name] ?? straight(plan, t), class: lit ? 'edge lit' : 'edge', 'data-edge': name, 'marker-end': `url(#${lit ? 'arrow-lit' : 'arrow'})`,
  }, svg('title', {}, `${t.from} → ${t.to} on ${t.on}`));
  return { lit: Number(lit), line, badge: lit && badge(name, numbers) };
}

/** The line between two states, from border to border. */
function straight(plan, { from, to }) {
  const [ax, ay] = plan.at[from];
  const [bx, by] = plan.at[to];
  const reach = (dx, dy) => Math.min(dx ? plan.half / Math.abs(dx) : Infinity, dy ? tall / 2 / Math.abs(dy) : Infinity);
  const f = reach(bx - ax, by - ay);
  const point = (x, y, dx, dy) => `${(x + dx * f).toFixed(1)} ${(y + dy * f).toFixed(1)}`;
  return `M${point(ax, ay, bx - ax, by - ay)} L${point(bx, by, ax - bx, ay - by)}`;
}

function badge(edgeName, numbers) {
  const text = numbers.length > 3 ? `${numbers.slice(0, 3).join('·')}…` : numbers.join('·');
  const width = Math.max(18, text.length * 6.4 + 8);
  return svg('g', { class: 'badge', 'data-of': edgeName }, svg('title', {}, `step ${numbers.join(', ')}`),
    svg('rect', { x: -width / 2, y: -9, width, height: 18, rx: 9 }), svg('text', { y: 3.8 }, text));
}

/** Puts each number in the middle of its line, whose length is only known once it is drawn. */
function place(box) {
  for (const b of box.querySelectorAll('.badge')) {
    const line = box.querySelector(`[data-edge="${CSS.escape(b.dataset.of)}"]`);
    const at = line.getPointAtLength(line.getTotalLength() / 2);
    b.setAttribute('transform', `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`);
  }
}
