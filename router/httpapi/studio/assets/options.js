// What can be said now, as buttons above the message field.
import { byId, h, sync } from './dom.js';
import { seenOf } from './store.js';

/** @param {(text: string) => void} say says a text in the conversation that is shown */
export function mountOptions(store, say) {
  const row = byId('options');
  store.watch(['turns', 'messages', 'outbox', 'session', 'standing', 'missing', 'spoken', 'reveal', 'agent'], (s) => {
    const list = current(s);
    row.hidden = list.length === 0;
    sync(row, list, (o) => JSON.stringify([seenOf(s), list.indexOf(o), o.title, o.say]), (o) => h('button', { type: 'button', class: 'option', onclick: () => say(o.say) }, o.title));
  });
}

/** Those of the newest reply, as long as nothing was said to it. */
function current(s) {
  const turn = seenOf(s);
  if (turn === undefined || s.missing || s.standing?.handoff?.status === 'taken' || s.outbox.some((i) => i.session === s.session && i.status !== 'sent')) return [];
  const own = s.spoken.get(`${s.session}/${turn}`);
  if (s.standing && s.turns.at(-1)?.turn === turn && (s.standing.turn !== turn || s.turns.at(-1).undone)) return []; // cleared, or taken back
  return own?.options ?? (hides(s) ? [] : s.turns.find((t) => t.turn === turn)?.options) ?? [];
}

/** Whether what was read back may have its values masked: a mask is nothing to say. */
function hides(s) {
  const asked = s.standing?.waiting_for_param;
  return !s.reveal && Boolean(s.agent?.params?.find((p) => p.name === asked)?.redacted);
}
