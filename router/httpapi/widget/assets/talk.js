const silence = 45_000; // ends a stream without events; the service sends one every 15 seconds
const often = 4_000; // between two polls while the panel is open
const seldom = 30_000; // while it is closed
const longest = 30_000; // between two attempts

const pause = (ms, wake) => new Promise((done) => {
  const timer = setTimeout(done, ms);
  wake(() => { clearTimeout(timer); done(); });
});

const number = () => [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('');

/**
 * The conversation. It sends one message at a time, keeps it until it is answered, even over a reload, and
 * sends it again with the same id. So a message takes effect once, however often its answer gets lost.
 * @param {object} show the panel: see createPanel
 */
function createTalk(options, show) {
  const storage = kept('localStorage', `slotway ${options.server}`); // who the visitor is
  const tab = kept('sessionStorage', `slotway ${options.server}`); // the pending message, and whether the panel is open
  const visit = createVisit(options, storage);
  const shown = new Set(); // turns and roles of stored messages
  let seq; // of the newest message; undefined: nothing was read yet
  let turn; // the newest one
  let conversation;
  let pending = tab.get().pending ?? null;
  let sending = false;
  let open = false;
  let timer;
  let failures = 0;
  let ended = false;
  let wake = () => {};

  function keep(item) {
    pending = item;
    tab.set({ pending: item });
  }

  /** Shows new messages. One without a number is not stored; it is old if a stored one of its turn and role was shown. */
  function take(view) {
    const known = seq;
    if (view.messages.length > 0) storage.set({ begun: true });
    const fresh = view.messages.filter((m) => (m.seq ? m.seq > (known ?? 0) : !shown.has(`${m.turn} ${m.role}`)));
    for (const m of view.messages) if (m.seq) shown.add(`${m.turn} ${m.role}`);
    seq = Math.max(known ?? 0, view.seq);
    if (view.seq >= (known ?? 0)) turn = view.turn; // an answer that was slow is older
    show.messages(fresh, { first: known === undefined, agent: view.agent, answered: view.answered });
    if (fresh.length > 0 || view.answered) show.options(view.options);
    show.person(view.person);
  }

  /** Reports whether a view belongs to another user than the one before. Then it forgets what was shown. */
  function changed(view) {
    const other = conversation !== undefined && conversation !== view.conversation_id;
    conversation = view.conversation_id;
    if (other) {
      seq = undefined;
      shown.clear();
      show.forget();
    }
    return other;
  }

  /** Reads the new messages. */
  async function read() {
    let view;
    do {
      const response = await visit.ask(seq === undefined ? 'messages' : `messages?after=${seq}`, { signal: AbortSignal.timeout(silence) });
      view = await response.json().catch(() => { throw new Refusal(0); });
      if (changed(view)) view.more = true;
      else take(view);
    } while (view.more);
  }

  async function look() {
    clearTimeout(timer);
    if (ended) return;
    if (!sending && !document.hidden) {
      try {
        await read();
        failures = 0;
        if (!pending) show.note('');
      } catch (err) {
        if (!(err instanceof Refusal)) throw err;
        failures += 1;
        if (!passing(err)) {
          if (open) show.note(options.words.refused);
          return;
        }
        if (open && !pending) show.note(options.words.unreachable);
      }
    }
    plan();
  }

  function plan() {
    clearTimeout(timer);
    if (ended || document.hidden || !(open || storage.get().begun)) return;
    timer = setTimeout(look, Math.min((open ? often : seldom) * 2 ** failures, 2 * seldom));
  }

  /** Sends the pending message until it is answered or refused. */
  async function deliver() {
    if (sending || !pending || pending.held) return;
    sending = true;
    show.waiting(true);
    for (let tries = 0; pending && !ended; tries++) {
      try {
        if (seq === undefined) await read();
        if (pending.conversation && pending.conversation !== conversation) throw new Refusal(403); // another user wrote it
        await attempt();
        keep(null);
        show.note('');
      } catch (err) {
        show.draft(null);
        if (err.code === 'moved_on') await read().catch(() => {});
        if (!(err instanceof Refusal) || !passing(err)) {
          keep({ ...pending, held: true });
          show.failed(err.code === 'moved_on' ? options.words.moved : [401, 403].includes(err.status) ? options.words.refused : options.words.failed);
          break;
        }
        show.note(err.status === 0 ? options.words.offline : options.words.busy);
        await pause(Math.max(err.retryAfter * 1000, Math.min(1000 * 2 ** tries, longest)), (now) => { wake = now; });
      }
    }
    sending = false;
    show.waiting(false);
    plan();
  }

  /**
   * Sends the pending message once, and shows the answer. A visitor whose token has expired becomes another
   * user. Only a message that was never sent before is sent as that user, so that none takes effect twice.
   */
  async function attempt(renewed = false) {
    const { id, text, after, tried } = pending;
    keep({ ...pending, tried: true, conversation });
    const control = new AbortController();
    let alarm = setTimeout(() => control.abort(), silence);
    try {
      const response = await visit.ask('messages', {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, signal: control.signal,
        body: JSON.stringify({ text, message_id: id, after_turn: after ?? turn, after: seq }),
      }, true);
      let draft = '';
      for await (const { name, data } of events(response.body)) {
        clearTimeout(alarm);
        alarm = setTimeout(() => control.abort(), silence);
        if (name === 'draft') show.draft(draft += data);
        else if (name === 'void') show.draft(draft = '');
        else if (name === 'error') throw refused(JSON.parse(data));
        else if (name === 'done') {
          const view = JSON.parse(data);
          if (!changed(view)) return take(view);
          show.dropped();
          return read();
        }
      }
    } catch (err) {
      if (!(err instanceof Refusal)) throw new Refusal(0); // the stream broke off
      if (err.code !== 'ended') throw err;
      seq = undefined;
      if (tried || renewed) throw err;
      keep({ id, text });
      await read();
      return await attempt(true);
    } finally {
      clearTimeout(alarm);
    }
    throw new Refusal(0);
  }

  const refused = (doc) => new Refusal(doc.status, doc);

  const again = () => { wake(); look(); };
  const seen = () => { if (!document.hidden) again(); };
  addEventListener('online', again);
  document.addEventListener('visibilitychange', seen);

  return {
    tab,
    /** Sends a text, unless another message is pending. */
    say(text) {
      if (pending || !text.trim()) return false;
      keep({ id: number(), text: text.trim(), after: turn, conversation });
      show.pending(pending.text);
      deliver();
      return true;
    },
    /** Sends a refused message again, as an answer to the newest turn. */
    again() {
      keep({ ...pending, held: false, after: undefined, conversation: undefined });
      show.note('');
      deliver();
    },
    /** Drops the pending message and returns its text. */
    discard() {
      const { text } = pending;
      keep(null);
      show.dropped();
      show.note('');
      return text;
    },
    /** Notes that the panel was opened or closed. */
    opened(is) {
      open = is;
      if (open) look();
      else plan();
    },
    /** Continues after a reload. */
    resume() {
      if (pending) {
        show.pending(pending.text);
        if (pending.held) show.failed(options.words.failed);
        deliver();
      } else if (storage.get().begun) look();
    },
    end() {
      ended = true;
      clearTimeout(timer);
      wake();
      removeEventListener('online', again);
      document.removeEventListener('visibilitychange', seen);
    },
  };
}
