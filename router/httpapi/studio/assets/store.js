// The one state of the page, and who is told when a part of it changes.

/**
 * @typedef {object} State
 * @property {import('./api.js').Agent | null} agent who answers; null until it is known
 * @property {string | null} session id of the conversation shown; null for one not begun
 * @property {string} fresh names the conversation not begun yet
 * @property {import('./api.js').Problem | null} missing why the conversation cannot be shown
 * @property {boolean} loading the conversation is being read
 * @property {import('./api.js').Message[]} messages oldest first
 * @property {boolean} whole there are no messages before the first of these
 * @property {import('./api.js').Turn[]} turns oldest first
 * @property {any} standing how the session stands now: GET state
 * @property {number | null} selected the turn looked at; null for the newest, whichever it is
 * @property {any} trace of the turn looked at: {turn, path, events}, {turn, gone} or null
 * @property {Map<string, {said: string, reply: string, options: any[]}>} spoken what was said from this page, unmasked
 * @property {import('./outbox.js').Item[]} outbox messages without an answer, oldest first
 * @property {boolean} reveal redacted values are shown
 * @property {string} tab chat, turn, agent, memory, live, sessions, report, website or improve
 * @property {any} context what the memory tiers hold: GET context
 * @property {string} link how the live connection stands: off, on or again
 * @property {boolean} wide there is room for two columns
 */

/** @returns {State} */
export const initial = () => ({
  agent: null, session: null, fresh: crypto.randomUUID(), missing: null, loading: false, messages: [], whole: true, turns: [], standing: null,
  selected: null, trace: null, spoken: new Map(), outbox: [], reveal: false, tab: 'chat', context: null, link: 'off', wide: true,
});

/**
 * @template {object} S
 * @param {S} state
 */
export function createStore(state) {
  /** @type {{keys: string[], tell: (s: S) => void}[]} */
  const watchers = [];
  const changed = new Set();

  function flush() {
    const keys = new Set(changed);
    changed.clear();
    for (const w of watchers) {
      if (w.keys.some((k) => keys.has(k))) w.tell(state);
    }
  }

  return {
    get: () => state,
    /** Changes some of the state. Watchers are told once all of the caller's changes are made. */
    set(patch) {
      if (changed.size === 0) queueMicrotask(flush);
      changed.add('');
      for (const [key, value] of Object.entries(patch)) {
        if (state[key] === value) continue;
        state[key] = value;
        changed.add(key);
      }
    },
    /** Calls tell now, and whenever one of the keys has changed. */
    watch(keys, tell) {
      watchers.push({ keys, tell });
      tell(state);
    },
  };
}

/** The turn looked at, or undefined where there is none. */
export function turnOf(state) {
  return state.selected === null ? state.turns.at(-1) : state.turns.find((t) => t.turn === state.selected);
}

/** The newest turn whose reply the page shows; undefined where it shows none. */
export function seenOf(state) {
  const replies = state.outbox.filter((i) => i.status === 'sent' && i.session === state.session).map((i) => i.reply.turn);
  const turn = Math.max(state.messages.at(-1)?.turn ?? 0, ...replies);
  return turn > 0 ? turn : undefined;
}

/** Whether the newest turn is looked at. */
export const atEnd = (state) => turnOf(state) === state.turns.at(-1);

/** Why there is no trace of a turn. */
export const untold = (trace) => (trace.code === 'not_enabled' ? 'This service keeps no traces.' : 'The service keeps no trace of this turn: it is too old, or was copied from another conversation.');
