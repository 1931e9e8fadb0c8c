// Reading the conversation that is shown, and the turn of it that is looked at.
import { clip } from './dom.js';
import { turnOf } from './store.js';

const page = 200; // messages and turns read at once
const kept = 300; // traces remembered: they never change

/** @typedef {ReturnType<typeof createConversation>} Conversation */

/** Keeps no more of a message than is shown. A cut text is a new one: a part of the old would keep all of it. */
function shorten(m) {
  const short = clip(m.text);
  if (short !== m.text) m.text = [...short].join('');
}

/** @param {(err: Error) => void} fail tells the person what went wrong */
export function createConversation(store, api, fail) {
  const traces = new Map();
  let reading = 0; // only the newest reading counts
  let tracing = 0;

  const revealing = () => (store.get().reveal ? 'true' : undefined);

  /** Reads what is shown anew. all: what was read before is no good any more. */
  async function refresh(all = false) {
    const { session } = store.get();
    if (session === null) return;
    const mine = ++reading;
    const query = { reveal: revealing() };
    const newest = { ...query, last: true, limit: page };
    try {
      const [messages, turns, standing] = await Promise.all([
        api.messages(session, newest), api.turns(session, newest), api.standing(session, query),
      ]);
      if (mine !== reading) return;
      messages.messages.forEach(shorten);
      const had = all ? { messages: [], turns: [] } : store.get();
      store.set({
        standing, loading: false, missing: null,
        whole: !full(messages, messages.messages) || (!all && store.get().whole && had.messages.length > 0),
        messages: join(had.messages, messages, messages.messages), turns: join(had.turns, turns, turns.turns, 'turn'),
      });
      trace();
    } catch (err) {
      if (mine !== reading) return;
      const gone = err.status === 404 && err.code === 'session_not_found';
      if (gone) store.set({ ...nothing(), missing: err });
      else {
        store.set({ loading: false });
        fail(err);
      }
    }
  }

  /** There may be more before a page: it has as many as were asked for, or was cut because they are long. */
  function full(answer, list) {
    return list.length >= page || answer.cut === true;
  }

  /** Reads the page before a number, in as many pieces as the service cuts it into. */
  async function before(read, session, first, of) {
    const all = [];
    const reveal = revealing();
    for (let after = Math.max(0, first - 1 - page); after !== null && after < first - 1;) {
      const piece = await read(session, { reveal, after, limit: Math.min(page, first - 1) });
      all.push(...piece[of].filter((x) => (x.seq ?? x.turn) < first));
      after = piece.next_after;
    }
    return all;
  }

  /** What was read before the newest page stays, as long as it joins on to it. */
  function join(old, answer, fresh, number = 'seq') {
    if (!full(answer, fresh)) return fresh;
    const before = old.filter((o) => o[number] < fresh[0][number]);
    return before.length > 0 && before.at(-1)[number] + 1 === fresh[0][number] ? [...before, ...fresh] : fresh;
  }

  /** Reads the way of the turn that is looked at. */
  async function trace() {
    const { session, trace: shown } = store.get();
    const turn = turnOf(store.get())?.turn;
    const mine = ++tracing;
    if (!turn) return store.set({ trace: null });
    const name = `${session}/${turn}`;
    let found = traces.get(name);
    if (!found) {
      if (shown && shown.turn !== turn) store.set({ trace: null });
      try {
        found = await api.trace(session, { turn });
        if (traces.size >= kept) traces.clear();
        traces.set(name, found);
      } catch (err) {
        found = { turn, gone: true, code: err.code };
      }
    }
    if (mine === tracing) store.set({ trace: found });
  }

  const nothing = () => ({ missing: null, loading: false, messages: [], whole: true, turns: [], standing: null, selected: null, trace: null, context: null });

  function empty(session, fresh) {
    reading++;
    tracing++;
    store.set({ ...nothing(), session, fresh, loading: session !== null });
  }

  return {
    refresh: () => refresh(),
    /** Shows another conversation; null begins one. */
    open(session) {
      if (session !== null && session === store.get().session) return;
      empty(session, crypto.randomUUID());
      if (session !== null) refresh();
    },
    /** Forgets what was read and said: somebody else may be asking from now on. */
    forget() {
      const { session, fresh } = store.get();
      traces.clear();
      empty(session, fresh);
      store.set({ spoken: new Map(), reveal: false });
    },
    /** Gives the conversation on the screen the id that the service made for it. */
    adopt(session) {
      store.set({ session });
    },
    /** Looks at a turn; null at the newest. */
    select(turn) {
      const newest = store.get().turns.at(-1)?.turn;
      store.set({ selected: turn === newest ? null : turn });
      trace();
    },
    /** Reads the page before the first message. */
    async earlier() {
      const { session, messages, turns } = store.get();
      try {
        const [m, t] = await Promise.all([
          before(api.messages, session, messages[0]?.seq ?? 1, 'messages'), before(api.turns, session, turns[0]?.turn ?? 1, 'turns'),
        ]);
        if (session !== store.get().session) return;
        m.forEach(shorten);
        store.set({ whole: m.length === 0 || m[0].seq === 1, messages: [...m, ...messages], turns: [...t, ...turns] });
      } catch (err) {
        fail(err);
      }
    },
    /** Reads what a model would be told if text were said now. */
    async remember(text) {
      const { session } = store.get();
      if (session === null) return store.set({ context: null });
      try {
        const context = await api.context(session, { text, reveal: revealing() });
        if (session === store.get().session) store.set({ context });
      } catch (err) {
        if (session === store.get().session) store.set({ context: { problem: err } });
      }
    },
    /** Shows or hides redacted values. */
    reveal(on) {
      store.set({ reveal: on });
      return refresh(true);
    },
  };
}
