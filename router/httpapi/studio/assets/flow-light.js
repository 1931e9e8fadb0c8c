// What of a flow a session has passed, where it stands, and where it can go next.

/**
 * @typedef {{id: string, shape: string, step: string, param: string, part: string, text: string}} Node
 * @typedef {{from: string, to: string, way: string, step: string, on: string, back: boolean}} Edge
 * @typedef {{nodes: Node[], edges: Edge[]}} Flow
 * @typedef {object} Passed what is known of one task
 * @property {Record<string, boolean>} done by step: true: carried out, false: passed over
 * @property {Record<string, any>} params values by name
 * @property {{step: string | null, param: string | null} | null} question what is asked now; null: nothing
 * @property {string | null} at the step at which the task waits without a question
 * @property {string[]} responses ids of what was said in the turn
 * @property {string | null} [answered] the step whose question was open before the turn in which the task ended
 * @property {string[]} [found] params that the turn in which the task ended gave a value
 */

/**
 * Marks the nodes of a flow: done, now or next; and the edges that were taken.
 * @param {Flow} flow
 * @param {Passed | null} passed null: the task is not under way
 */
export function light(flow, passed) {
  const nodes = new Map();
  const edges = new Set();
  if (!passed) return { nodes, edges };
  for (const n of flow.nodes) if (isDone(n, passed)) nodes.set(n.id, 'done');
  const now = standing(flow, passed);
  if (now) nodes.set(now.id, 'now');
  spread(flow, nodes, passed);
  for (const e of flow.edges) {
    if (taken(flow, e, passed, nodes)) edges.add(e);
    else if (now && e.from === now.id && !e.back && e.way !== 'digress' && !nodes.has(e.to)) nodes.set(e.to, 'next');
  }
  return { nodes, edges };
}

const has = (map, key) => Object.hasOwn(map ?? {}, key);
const filled = (passed, param) => has(passed.params, param) && passed.params[param] !== null;

/** Whether a node is known to be behind. */
function isDone(n, passed) {
  if (n.shape === 'start') return true;
  if (n.part === 'if') return has(passed.done, n.step);
  if (n.part !== '') return n.step !== '' && n.shape === 'say' && passed.responses.includes(n.text);
  if (n.step !== '') return passed.done[n.step] === true;
  return n.param !== '' && (filled(passed, n.param) || Boolean(passed.found?.includes(n.param)));
}

/** A branch or an answered question of which nothing is stored is behind once something below it is. */
function spread(flow, nodes, passed) {
  const untold = (n) => n.shape === 'decision' || (n.part === '' && n.step !== '' && n.step === passed.answered);
  for (let grown = true; grown;) {
    grown = false;
    for (const n of flow.nodes) {
      if (nodes.has(n.id) || !untold(n)) continue;
      if (flow.edges.some((e) => e.from === n.id && nodes.has(e.to) && !e.back)) {
        nodes.set(n.id, 'done');
        grown = true;
      }
    }
  }
}

/** The node at which the task stands: what it asks, or the step that has failed. */
function standing(flow, passed) {
  const { question: q, at } = passed;
  const of = (step) => flow.nodes.find((n) => n.step === step && n.part === '');
  if (q?.step) return of(q.step);
  if (q?.param) return flow.nodes.find((n) => n.param === q.param && n.shape === 'question' && !(n.step && passed.done[n.step])) ?? flow.nodes.find((n) => n.param === q.param);
  return at ? of(at) : undefined;
}

function taken(flow, e, passed, nodes) {
  const lit = (id) => nodes.get(id) === 'done' || nodes.get(id) === 'now';
  if (!lit(e.from) || !lit(e.to) || nodes.get(e.from) === 'now') return false;
  if (e.back || e.way === 'again' || e.way === 'digress') return false;
  if (e.way === 'yes' || e.way === 'no') {
    const from = flow.nodes.find((n) => n.id === e.from);
    if (from.part === 'if' && has(passed.done, e.step)) return passed.done[e.step] === (e.way === 'yes');
    if (e.way === 'no') return !flow.edges.some((o) => o.from === e.from && o.way === 'yes' && lit(o.to));
  }
  return true;
}

/**
 * What a session has passed of an intent, after the turn looked at. A task that ended in that turn
 * is known by the turn's trace and by the state before it.
 * @param {string} intent
 * @param {any} standing the state after the turn
 * @param {any} before the state before it
 * @param {any} trace of the turn; null: not known
 * @returns {Passed | null}
 */
export function passedOf(intent, standing, before, trace) {
  const chain = (f) => (f ? [f, ...chain(f.caller)] : []); // a task, and those that run it as a part
  const frames = (state) => [state?.plan?.active, ...(state?.plan?.suspended ?? [])].flatMap(chain);
  const of = (state) => frames(state).find((f) => f.intent === intent);
  const frame = of(standing);
  const events = trace?.events ?? [];
  const responses = events.filter((e) => e.stage === 'respond').flatMap((e) => e.payload?.response ?? []);
  if (frame) {
    const active = standing.plan.active === frame;
    return {
      done: frame.done ?? {}, params: { ...standing.params, ...frame.params }, responses,
      question: active ? standing.plan.question : null, at: frame.step || null,
    };
  }
  const steps = events.filter((e) => e.stage === 'plan' && e.payload?.intent === intent && e.payload.step_id).map((e) => e.payload.step_id);
  const earlier = of(before);
  if (steps.length === 0 && !earlier) return null;
  if (steps.length === 0 && !responses.length) return null;
  return {
    done: { ...earlier?.done, ...Object.fromEntries(steps.map((id) => [id, true])) },
    params: { ...before?.params, ...earlier?.params, ...standing?.params }, question: null, at: null, responses,
    answered: before?.plan?.active === earlier ? before?.plan?.question?.step : null,
    found: events.filter((e) => e.stage === 'classify').flatMap((e) => e.payload?.params ?? []).map((p) => p.param),
  };
}
