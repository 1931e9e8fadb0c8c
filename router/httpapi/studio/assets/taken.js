// How the message was taken: the rules that read it, what came second, and what was left over.
import { byId, h, put, svg } from './dom.js';
import { turnOf, untold } from './store.js';

export function mountTaken(store) {
  store.watch(['trace', 'turns', 'selected', 'messages', 'reveal'], (s) => {
    const said = s.trace?.events?.findLast((e) => e.stage === 'classify')?.payload;
    put(byId('taken'), h('h2', {}, 'How it was taken'), said ? account(s, said) : h('p', { class: 'hint' }, absent(s)), leftOver(s));
  });
}

function absent(s) {
  if (s.trace?.gone) return untold(s.trace);
  if (s.trace) return 'This turn was not read.';
  return turnOf(s) ? 'Reading the trace.' : 'Nothing was said yet.';
}

function account(s, said) {
  const [chosen, second] = [said.chosen ?? [], said.runners_up ?? []];
  if (chosen.length === 0 && second.length === 0) return h('p', { class: 'hint' }, 'No rule says that it took this message.');
  const text = plain(s);
  return [
    text === undefined ? h('p', { class: 'hint' }, 'Reveal values to see what each rule explains.') : explained(text, chosen),
    h('div', { class: 'pair' },
      h('div', {}, h('h3', {}, 'Because of'), readings(chosen, 'chosen')),
      h('div', {}, h('h3', {}, 'Rather than'), second.length > 0 ? readings(second, '') : h('p', { class: 'hint' }, 'Nothing else was near.'))),
  ];
}

/** The message as it was said; undefined where it is masked, so that no span fits. */
const plain = (s) => (s.reveal ? s.messages.find((m) => m.role === 'user' && m.turn === s.trace.turn)?.text : undefined);

/** The message, with what the rules explain marked. Spans count code points. */
function explained(text, chosen) {
  const points = [...text];
  const spans = chosen.flatMap((r) => r.spans.map((at) => ({ ...at, rule: r.rule }))).sort((a, b) => a.start - b.start);
  const parts = [];
  let at = 0;
  for (const { start, end, rule } of spans) {
    if (start < at || end > points.length || end <= start) continue; // within one that is marked, or of another text
    parts.push(points.slice(at, start).join(''), h('mark', { 'data-rule': rule, title: rule }, points.slice(start, end).join('')));
    at = end;
  }
  return h('blockquote', { class: 'said' }, parts, points.slice(at).join(''));
}

function readings(list, kind) {
  if (list.length === 0) return h('p', { class: 'hint' }, 'No rule took it.');
  return h('ul', { class: 'ranking readings' }, list.map((r) => {
    const share = Math.round(r.share * 100);
    return h('li', { class: kind, 'data-rule': r.rule },
      h('span', { class: 'name' }, r.rule, r.intent && [' ', h('code', {}, r.intent)]),
      h('span', { class: 'share' }, r.score.toFixed(2)),
      h('span', { class: 'quiet figures' }, `evidence ${r.evidence.toFixed(2)}, explains ${share} %`),
      svg('svg', { class: 'bar-line', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
        svg('rect', { class: 'rail', width: 100, height: 4 }), svg('rect', { class: 'share', width: share, height: 4 })));
  }));
}

function leftOver(s) {
  const list = turnOf(s)?.unheard ?? [];
  if (list.length === 0) return null;
  return [h('h3', {}, 'Left over'), h('ul', { class: 'left' }, list.map((u) => h('li', {},
    h('span', { class: 'name' }, u.text), u.param && h('code', {}, u.param), h('span', { class: u.told ? 'chip responded' : 'chip waiting' }, u.told ? 'told' : 'not told'))))];
}
