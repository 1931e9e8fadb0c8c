// Why this intent, and why this value: what the classifier said of the message.
import { byId, h, put, svg } from './dom.js';
import { turnOf, untold } from './store.js';

export function mountWhy(store) {
  store.watch(['trace', 'turns', 'selected', 'messages', 'reveal', 'agent'], (s) => {
    const said = s.trace?.events?.findLast((e) => e.stage === 'classify')?.payload;
    put(byId('why'), h('h2', {}, 'Why this intent'), intent(s, said), h('h3', {}, 'Why these values'), values(s, said));
  });
}

function absent(s) {
  if (s.trace?.gone) return untold(s.trace);
  if (s.trace) return 'This turn was not classified.';
  return turnOf(s) ? 'Reading the trace.' : 'Nothing was said yet.';
}

function intent(s, said) {
  if (!said) return h('p', { class: 'hint' }, absent(s));
  const marks = [said.exact && 'one of its examples', said.lead && `leads with: ${said.lead}`, `decided by ${said.tier}`, said.fallback && `no model server: ${said.fallback}`];
  return [
    kept(s, said),
    h('p', { class: 'verdict' }, h('strong', {}, said.intent ?? 'none'), ' ', h('span', { class: 'quiet' }, marks.filter(Boolean).join(' · '))),
    h('ul', { class: 'ranking', 'aria-label': 'Ranking' }, (said.ranking ?? []).map((r) => bar(r, r.intent === said.intent))),
  ];
}

/** What the turn went on with where the message alone does not say it: it was an answer. */
function kept(s, said) {
  const turn = turnOf(s);
  if (!turn?.intent || turn.turn !== s.trace.turn) return null;
  const awaited = s.trace.events.find((e) => e.stage === 'received')?.payload?.waiting_for_param;
  const answered = awaited && said.params?.some((f) => f.param === awaited);
  if (turn.intent === said.intent && !answered) return null;
  return h('p', { class: 'kept' }, 'The turn went on with ', h('strong', {}, turn.intent), awaited ? [': ', h('code', {}, awaited), ' was awaited, and the message was read as the answer.'] : ', the task under way.',
    h('span', { class: 'quiet' }, ' By itself the message would mean:'));
}

function bar(r, chosen) {
  const share = Math.round(r.confidence * 100);
  return h('li', { class: chosen ? 'chosen' : '' },
    h('span', { class: 'name' }, r.intent), h('span', { class: 'share' }, `${share} %`),
    svg('svg', { class: 'bar-line', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      svg('rect', { class: 'rail', width: 100, height: 4 }), svg('rect', { class: 'share', width: share, height: 4 })));
}

function values(s, said) {
  if (!said) return h('p', { class: 'hint' }, absent(s));
  const found = said.params ?? [];
  if (found.length === 0) return h('p', { class: 'hint' }, 'No value was found in this message.');
  const message = s.messages.find((m) => m.role === 'user' && m.turn === s.trace.turn)?.text;
  return [
    s.reveal && message !== undefined && spans(message, found),
    h('ul', { class: 'found' }, found.map((f) => h('li', {}, h('code', {}, f.param), ' by ', h('strong', {}, f.source), h('span', { class: 'quiet' }, `, characters ${f.start + 1} to ${f.end}`)))),
    !s.reveal && h('p', { class: 'hint' }, 'Reveal values to see them in the message.'),
  ];
}

/**
 * The message with what was found in it marked. Spans count code points of the message as it
 * was said, so they fit only where nothing is masked.
 */
function spans(message, found) {
  const points = [...message];
  const parts = [];
  let at = 0;
  for (const f of [...found].sort((a, b) => a.start - b.start)) {
    if (f.start < at || f.end > points.length) continue; // within one that is marked, or of another text
    parts.push(points.slice(at, f.start).join(''), h('mark', { 'data-param': f.param, title: `${f.param}, by ${f.source}` }, points.slice(f.start, f.end).join('')));
    at = f.end;
  }
  return h('blockquote', { class: 'said' }, parts, points.slice(at).join(''));
}
