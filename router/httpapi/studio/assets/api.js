// The HTTP API, as much of it as the page uses.
import { events } from './stream.js';

/**
 * @typedef {{id: string, description: string, language: string, user: string, scopes: string[],
 *   machine: Machine, params: {name: string, type: string, label: string, redacted: boolean}[], authoring?: string[],
 *   intents: {id: string, title: string, description: string, example: string, task: boolean, answer_only: boolean, system: boolean, params: string[]}[],
 *   tools: {name: string, effect: string}[], pages: {visitors: boolean, origins: string[]},
 *   reload?: {error: string, problems: any[], at: string}}} Agent
 * @typedef {{initial: string, resting: string[], transitions: {from: string, on: string, to: string}[]}} Machine
 * @typedef {{seq: number, turn?: number, role: string, text: string, timestamp: string, name?: string,
 *   tool_calls?: {id: string, tool: string}[], tool_call_id?: string, metadata?: Record<string, string>}} Message
 * @typedef {{turn: number, intent: string, outcome: string, reply: string, at: string, undone: boolean, state: any,
 *   options?: {title: string, say: string, param?: string}[], unheard?: {text: string, told: boolean, param?: string}[]}} Turn
 * @typedef {{session_id: string, title: string, tags: string[], turns: number, waiting_for_param: string | null,
 *   updated_at: string, first_message?: string, intent?: string, outcome?: string}} Session
 */

/** The service said no: a problem document (RFC 9457). */
export class Problem extends Error {
  constructor(status, doc, retryAfter) {
    super(doc.detail || doc.title || `The service answered with status ${status}.`);
    this.status = status;
    this.code = doc.code || '';
    this.title = doc.title || `Status ${status}`;
    /** Seconds to wait before trying again; 0: not said. */
    this.retryAfter = retryAfter;
    /** Where the conversation stands, of code moved_on. */
    this.turn = doc.turn ?? 0;
  }
}

/** No answer came: the network, or a service that is not there. */
export class Unreachable extends Error {
  constructor() {
    super('The service cannot be reached.');
    this.title = 'No answer';
    this.status = 0;
    this.retryAfter = 0;
  }
}

// The page's files are at studio/RELEASE/ below the API, wherever that is mounted.
export const root = new URL('../../', import.meta.url);
const keyName = 'slotway.key';
const userName = 'slotway.user';

/** Who asks. Kept for this tab only, and never part of a URL. */
export const credentials = {
  get key() { return sessionStorage.getItem(keyName) ?? ''; },
  get user() { return sessionStorage.getItem(userName) ?? ''; },
  set(key, user) {
    for (const [name, value] of [[keyName, key], [userName, user]]) {
      if (value) sessionStorage.setItem(name, value);
      else sessionStorage.removeItem(name);
    }
  },
};

/** Problems that another key, or the name of a user, may solve. */
export const unknown = (err) => err.status === 401 || err.code === 'user_required' || err.code === 'bad_user';

/** A header's value: the bytes of its UTF-8, as fetch wants them. */
const bytes = (text) => String.fromCharCode(...new TextEncoder().encode(text));

const patience = 3; // times that a question is put again when the service is busy

/** @param {(p: Problem) => void} refused is told when the service does not know who asks */
export function createApi(refused) {
  async function call(method, path, { query, body, signal } = {}) {
    const url = new URL(path, root);
    for (const [name, value] of Object.entries(query ?? {})) {
      if (value !== undefined && value !== null && value !== '' && value !== false) url.searchParams.set(name, String(value));
    }
    const headers = new Headers();
    if (credentials.key) headers.set('Authorization', bytes(`Bearer ${credentials.key}`));
    if (credentials.user) headers.set('X-User-Id', bytes(credentials.user));
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    let response;
    try {
      response = await fetch(url, { method, headers, body: body && JSON.stringify(body), signal, cache: 'no-store' });
    } catch (err) {
      if (signal?.aborted && signal.reason?.name !== 'TimeoutError') throw err;
      throw new Unreachable();
    }
    if (response.ok) return response;
    const problem = await read(response);
    if (unknown(problem)) refused(problem);
    throw problem;
  }

  async function json(method, path, options) {
    const response = await call(method, path, options);
    try {
      return await response.json();
    } catch {
      throw new Unreachable(); // cut off in the middle
    }
  }

  /** Asks, and asks again when the service is busy and says for how long. */
  async function ask(path, options) {
    for (let again = 0; ; again++) {
      try {
        return await json('GET', path, options);
      } catch (err) {
        if (again === patience || ![429, 503].includes(err.status) || !(err.retryAfter > 0 && err.retryAfter <= 10)) throw err;
        await new Promise((done) => setTimeout(done, err.retryAfter * 1000));
      }
    }
  }

  const session = (id) => `v1/sessions/${encodeURIComponent(id.toWellFormed())}`;
  return {
    agent: () => ask('v1/agent'),
    flow: (intent) => ask('v1/agent/flow', { query: { intent } }),
    /** Says something; the same message id again has no second effect. */
    chat: (body) => json('POST', 'chat', { body, signal: AbortSignal.timeout(60_000) }),
    sessions: (query) => ask('v1/sessions', { query }),
    session: (id) => ask(session(id)),
    rename: (id, title) => json('PATCH', session(id), { body: { title } }),
    erase: (id) => call('DELETE', session(id)),
    /** Takes a conversation over, answers in it, or gives it back. */
    handoff: (id, body) => json('POST', `${session(id)}/handoff`, { body }),
    undo: (id) => json('POST', `${session(id)}/undo`),
    /** Copies a conversation as it was after a turn; undefined: as it is. */
    fork: (id, turn) => json('POST', `${session(id)}/fork`, { body: { turn } }),
    replay: async (id, reveal) => (await call('GET', `${session(id)}/replay`, { query: { reveal } })).text(),
    exported: async (id, reveal) => (await call('GET', `${session(id)}/export`, { query: { reveal } })).text(),
    messages: (id, query) => ask(`${session(id)}/messages`, { query }),
    standing: (id, query) => ask(`${session(id)}/state`, { query }),
    turns: (id, query) => ask(`${session(id)}/turns`, { query }),
    context: (id, query) => ask(`${session(id)}/context`, { query }),
    trace: (id, query) => ask(`${session(id)}/trace`, { query }),
    report: (query) => ask('v1/report', { query }),
    labels: () => ask('v1/label'),
    label: (body) => json('POST', 'v1/label', { body }),
    evaluation: () => ask('v1/evaluation'),
    evaluate: () => json('POST', 'v1/evaluation'),
    stopEvaluation: () => json('DELETE', 'v1/evaluation'),
    /** What happens from now on, until signal. */
    events: async (signal) => events((await call('GET', 'v1/events', { signal })).body),
  };
}

async function read(response) {
  const seconds = Number(response.headers.get('Retry-After'));
  let doc = {};
  try {
    doc = await response.json();
  } catch { /* no problem document: the status has to do */ }
  return new Problem(response.status, doc ?? {}, Number.isFinite(seconds) ? seconds : 0);
}
