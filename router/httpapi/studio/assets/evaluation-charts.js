// The pictures of an evaluation: which intents are confused, and what a threshold would do.
import { count, h, svg } from './dom.js';

const most = 14; // intents of the picture

/** Rows are the intents that examples stand under, columns those that they are taken for. */
export function confusion(r) {
  const pairs = r.confusion.filter((c) => c.intent !== c.taken_for).sort((a, b) => b.count - a.count);
  if (pairs.length === 0) return h('p', { class: 'hint' }, 'None is.');
  const names = [];
  for (const name of pairs.flatMap((p) => [p.intent, p.taken_for])) if (name && !names.includes(name) && names.length < most) names.push(name);
  names.sort();
  const cells = new Map(r.confusion.map((c) => [`${c.intent} ${c.taken_for}`, c.count]));
  const at = (row, column) => cells.get(`${row} ${column}`) ?? 0;
  // A line without a number says nothing: many an intent is only taken for, or only mistaken.
  const rows = names.filter((n) => names.some((m) => at(n, m) > 0));
  const columns = names.filter((n) => rows.some((m) => at(m, n) > 0));
  const support = new Map(r.intents.map((i) => [i.intent, i.support]));
  const told = pairs.slice(0, 3).map((p) => `${p.intent} for ${p.taken_for || 'none'}, ${p.count}`).join('; ');
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Confusion of intents' },
    rows.length > 0 && [h('p', { class: 'hint' }, 'Rows: the intents that examples stand under. Columns: those that they are taken for.'), grid(rows, columns, at, support, `The most confused: ${told}`)],
    h('ul', { class: 'pairs' }, pairs.slice(0, 8).map((p) => h('li', {}, h('code', {}, p.intent), ' taken for ', h('code', {}, p.taken_for || 'none'), h('span', { class: 'quiet' }, `: ${count(p.count, 'example')} of ${support.get(p.intent) ?? '?'}`)))));
}

const size = 30; // of a cell

function grid(rows, columns, of, support, told) {
  const long = (names) => Math.min(20, Math.max(...names.map((n) => n.length)));
  const [left, top] = [24 + long(rows) * 6.6, 20 + long(columns) * 5.2];
  const [width, height] = [left + columns.length * size + 90, top + rows.length * size + 4].map(Math.round);
  return svg('svg', { class: 'confusion', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': told },
    rows.map((n, i) => svg('text', { x: left - 8, y: top + i * size + size / 2 + 4, 'text-anchor': 'end' }, svg('title', {}, n), short(n))),
    columns.map((n, i) => svg('text', { transform: `translate(${left + i * size + size / 2 + 4} ${top - 8}) rotate(-50)` }, svg('title', {}, n), short(n))),
    rows.flatMap((row, i) => columns.map((column, j) => cell(row, column, of(row, column), support.get(row) ?? 1, left + j * size, top + i * size))));
}

const short = (name) => (name.length > 20 ? `${name.slice(0, 19)}…` : name);

function cell(row, column, n, support, x, y) {
  const share = Math.sqrt(Math.min(1, n / support));
  return svg('g', { class: row === column ? 'hit' : 'miss' },
    svg('rect', { class: 'rail', x: x + 1, y: y + 1, width: size - 2, height: size - 2, rx: 4 }),
    n > 0 && svg('rect', { class: 'fill', x: x + 1, y: y + 1, width: size - 2, height: size - 2, rx: 4, 'fill-opacity': (0.15 + 0.35 * share).toFixed(2) }),
    n > 0 && svg('text', { x: x + size / 2, y: y + size / 2 + 4, 'text-anchor': 'middle' }, n));
}

/** The shares of examples that are accepted, and that are accepted and right, by threshold. */
export function curve(r) {
  const [width, height, left, bottom] = [520, 190, 44, 30];
  const x = (t) => left + t * (width - left - 10);
  const y = (share) => 8 + (1 - share) * (height - bottom - 8);
  const line = (of) => r.curve.map((p, i) => `${i ? 'L' : 'M'}${x(p.threshold).toFixed(1)} ${y(of(p)).toFixed(1)}`).join('');
  const here = r.curve.reduce((best, p) => (Math.abs(p.threshold - r.threshold) < Math.abs(best.threshold - r.threshold) ? p : best), r.curve[0] ?? { threshold: 0, right: 0, accepted: 0 });
  const said = `At ${r.threshold.toFixed(2)}, the agent's threshold, ${share(here.accepted)} of the examples are acted on, ${share(here.right)} rightly and ${share(here.accepted - here.right)} wrongly; the others are asked about or refused.`;
  return h('div', {}, h('p', { class: 'prose' }, said),
    svg('svg', { class: 'curve', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': said },
      [0, 0.5, 1].map((v) => [
        svg('line', { class: 'grid', x1: left, x2: width - 10, y1: y(v), y2: y(v) }), svg('text', { x: left - 6, y: y(v) + 4, 'text-anchor': 'end' }, `${v * 100} %`),
        svg('text', { x: x(v), y: height - 10, 'text-anchor': 'middle' }, v.toFixed(1)),
      ]),
      svg('line', { class: 'here', x1: x(r.threshold), x2: x(r.threshold), y1: y(1), y2: y(0) }),
      svg('path', { class: 'accepted', d: line((p) => p.accepted) }), svg('path', { class: 'right', d: line((p) => p.right) })),
    h('p', { class: 'legend hint' }, h('span', { class: 'key accepted' }), 'acted on ', h('span', { class: 'key right' }), 'rightly, by threshold'));
}

const share = (x) => `${Math.round(x * 1000) / 10} %`;
