// Telemetry events in words: one line says what a stage has come to.
import { byId, count, h, micros, put } from './dom.js';
import { untold } from './store.js';

/** The stages, in the order in which a turn meets them. */
export const stages = ['received', 'classify', 'plan', 'ask_user', 'confirm', 'tool_call', 'respond', 'error', 'job'];

/** A step's id without the word that says what it does, and without the hash at its end. */
function place(p) {
  const id = (p.step_id ?? '').replace(/\.[0-9a-f]{8}$/, '');
  return id.startsWith(`${p.step}.`) ? id.slice(p.step.length + 1) : id === p.step ? '' : id;
}

const percent = (x) => `${Math.round((x ?? 0) * 100)} %`;
const acts = { take: 'a person takes over', answer: 'a person answers', give_back: 'a person gives back', held: 'kept for the person who has the conversation' };
const tells = {
  received: (p) => (p.hand_over ? acts[p.hand_over] : p.replayed ? 'answered before: the stored reply again' : `${count(p.text_length, 'character')}, ${count(p.memory?.history_count ?? 0, 'message')} in memory`),
  classify: (p) => `${p.intent ?? 'no intent'} ${percent(p.confidence)}${p.params?.length ? `, found ${p.params.map((f) => f.param).join(', ')}` : ''}${p.chosen?.length ? `, taken by ${p.chosen.map((r) => r.rule).join(', ')}` : ''}${p.unheard > 0 ? `, ${p.unheard} left over` : ''}`,
  plan: (p) => [p.step, place(p), p.intent && `of ${p.intent}`].filter(Boolean).join(' '),
  ask_user: (p) => `${p.kind} ${p.param ?? ''}${p.attempt > 1 ? `, attempt ${p.attempt}` : ''}`,
  confirm: (p) => `before ${p.tool ?? place({ step: 'confirm', ...p })}${p.attempt > 1 ? `, attempt ${p.attempt}` : ''}`,
  tool_call: (p) => `${p.tool} ${p.status}${p.error_code ? ` (${p.error_code})` : ''}${p.effect === 'write' ? ', writes' : ''}${p.attempts > 1 ? `, ${p.attempts} attempts` : ''}`,
  respond: (p) => `${p.outcome}${p.response?.length ? ` with ${p.response.join(', ')}` : ''}${p.handoff ? ', handed over' : ''}`,
  error: (p) => `${p.code} in ${p.stage}: ${p.message}`,
  job: (p) => `${p.kind} ${p.outcome}`,
};

/** What an event says, in one line. */
export function tell(e) {
  return Object.hasOwn(tells, e.stage) ? tells[e.stage](e.payload ?? {}) : ''; // a stage may be called constructor
}

/** The events of the turn looked at, one below the other. */
export function mountSteps(store) {
  store.watch(['trace', 'turns'], (s) => {
    const events = s.trace?.events ?? [];
    put(byId('steps'), h('h2', {}, 'Step by step'), events.length > 0
      ? h('ol', { class: 'steps' }, events.map((e) => h('li', { class: e.level },
        h('span', { class: `stage ${e.stage}` }, e.stage), h('span', { class: 'tells' }, tell(e)), h('span', { class: 'quiet took' }, micros(e.duration_us)))))
      : h('p', { class: 'hint' }, s.trace?.gone ? untold(s.trace) : 'What each stage of a turn came to is listed here.'));
  });
}
