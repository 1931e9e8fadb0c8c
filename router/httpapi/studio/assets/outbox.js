// Messages on their way. Each has an id and is sent again with the same one until it is
// answered, so that it takes effect once, however often its answer is lost. What has no
// answer yet is kept for the tab and sent again after a reload.
import { unknown } from './api.js';
import { seenOf } from './store.js';

/**
 * @typedef {object} Item
 * @property {string} id the message id
 * @property {string} text
 * @property {string | null} session null: the first message of the conversation that fresh names
 * @property {string} fresh
 * @property {number} after turn of the last reply that the person had seen; 0: none
 * @property {string | null} behind the message before it, of which there was no reply yet when this one was written
 * @property {boolean} moved the conversation went on elsewhere: only the person sends it again
 * @property {'queued' | 'sending' | 'waiting' | 'failed' | 'sent'} status sent: answered, but not read back yet
 * @property {string} note what to tell the person of a wait or a failure
 * @property {boolean} refused it failed for want of the right key
 * @property {any} reply the answer, when sent
 */

const keptAs = 'slotway.outbox';
const attempts = 5;
const longest = 60; // seconds that a message waits by itself
/** @typedef {ReturnType<typeof createOutbox>} Outbox */

// After these the same message with the same id may fare better.
const passing = new Set([0, 409, 429, 502, 503, 504]);

const elsewhere = 'The conversation went on elsewhere: above is what was said. Send it again only if you still mean it.';
const unseen = 'It was written before the agent asked for a yes or no: read the question first.';

/**
 * @param {(item: Item, reply: any) => Promise<void>} answered takes in an answer
 * @param {(item: Item) => void} moved is told of a message whose conversation went on elsewhere
 */
export function createOutbox(store, api, answered, moved) {
  let running = false;

  function change(list) {
    store.set({ outbox: list });
    const open = list.filter((i) => i.status !== 'sent')
      .map(({ id, text, session, fresh, after, behind, moved: held, note }) => ({ id, text, session, fresh, after, behind, moved: held, note: held ? note : '' }));
    if (open.length > 0) sessionStorage.setItem(keptAs, JSON.stringify(open));
    else sessionStorage.removeItem(keptAs);
  }
  const all = () => store.get().outbox;
  const update = (id, patch) => change(all().map((i) => (i.id === id ? { ...i, ...patch } : i)));
  const find = (id) => all().find((i) => i.id === id);
  const sameConversation = (a, b) => (a.session === null ? a.fresh === b.fresh : a.session === b.session);

  /** The next to be sent: none overtakes a failed one of its conversation. */
  const next = () => all().find((item, at) => item.status === 'queued'
    && !all().slice(0, at).some((before) => before.status === 'failed' && sameConversation(item, before)));

  async function run() {
    if (running) return;
    running = true;
    for (let item; (item = next());) await deliver(item.id);
    running = false;
  }

  async function deliver(id) {
    for (let attempt = 1; find(id); attempt++) {
      update(id, { status: 'sending', note: '' });
      const { text, session, after } = find(id);
      try {
        const reply = await api.chat({ message: text, message_id: id, after_turn: after, ...(session === null ? {} : { conversation_id: session }) });
        await settle(id, reply);
        return;
      } catch (err) {
        if (err.code === 'moved_on') {
          update(id, { status: 'failed', note: elsewhere, moved: true, after: err.turn });
          moved(find(id));
          return;
        }
        const wait = err.retryAfter || 2 ** (attempt - 1);
        if (!passing.has(err.status) || attempt >= attempts || wait > longest) {
          update(id, { status: 'failed', note: `${err.title ?? 'Not sent'}. ${err.message}`, refused: unknown(err) });
          return;
        }
        update(id, { status: 'waiting', note: `${err.title}. Sending again in ${wait} s.` });
        await new Promise((done) => setTimeout(done, wait * 1000));
      }
    }
  }

  /** What was written behind a message answers to its reply, unless that asks for a yes which the person has not seen. */
  const follow = (i, before, reply) => {
    if (i.behind !== before) return i;
    const next = { ...i, behind: null, after: reply.turn };
    return reply.confirming === null ? next : { ...next, status: 'failed', note: unseen, moved: true };
  };

  async function settle(id, reply) {
    const item = find(id);
    const place = (i) => (i.session === null && i.fresh === item.fresh ? { ...i, session: reply.conversation_id } : i);
    change(all().map(place).map((i) => follow(i, id, reply)).map((i) => (i.id === id ? { ...i, status: 'sent', reply } : i)));
    await answered({ ...item, session: reply.conversation_id }, reply);
  }

  return {
    /** Sends a message to the conversation that is shown. */
    add(text) {
      const { session, fresh } = store.get();
      const before = all().findLast((i) => i.status !== 'sent' && sameConversation(i, { session, fresh }));
      change([...all(), {
        id: crypto.randomUUID(), text, session, fresh, after: seenOf(store.get()) ?? 0, behind: before?.id ?? null, moved: false,
        status: 'queued', note: '', refused: false, reply: null,
      }]);
      run();
    },
    /** Sends a message that failed again, with its id. Where the conversation had gone on, it answers to what is shown now. */
    again(id) {
      const item = find(id);
      update(id, { status: 'queued', note: '', moved: false, ...(item.moved ? { after: seenOf(store.get()) ?? item.after } : {}) });
      run();
    },
    /** Gives a message up. It may have taken effect all the same when its answer was lost. */
    discard(id) {
      const gone = find(id);
      const stepUp = (i) => (i.behind === id ? { ...i, behind: gone.behind, after: gone.after } : i);
      change(all().filter((i) => i.id !== id).map(stepUp));
      run();
    },
    /** Forgets answered messages that the conversation shows by now. */
    tidy() {
      const { session, turns } = store.get();
      const shown = (i) => i.status === 'sent' && i.session === session && turns.some((t) => t.turn === i.reply.turn);
      if (all().some(shown)) change(all().filter((i) => !shown(i)));
    },
    /** Sends what was refused for want of a key. */
    admitted() {
      change(all().map((i) => (i.status === 'failed' && i.refused ? { ...i, status: 'queued', note: '' } : i)));
      run();
    },
    /** Takes up what a reload interrupted; gives the name of a conversation not begun yet. */
    resume() {
      let kept = [];
      try {
        kept = JSON.parse(sessionStorage.getItem(keptAs) ?? '[]');
      } catch { /* not ours */ }
      change(kept.map((i) => ({ ...i, status: i.moved ? 'failed' : 'queued', refused: false, reply: null })));
      run();
      return kept.findLast((i) => i.session === null)?.fresh;
    },
  };
}
