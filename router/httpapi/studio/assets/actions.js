// What can be done with the conversation that is shown: take a turn back, go on from an earlier one,
// say something in other words, keep it as a test or as a file.
import { announce, byId, count, dialog, h } from './dom.js';

/**
 * @param {{open: (session: string) => void, begin: () => void, draft: (session: string | null, text: string) => void,
 *   refresh: () => Promise<void>, fail: (err: Error) => void}} page
 */
export function mountActions(store, api, { open, begin, draft, refresh, fail }) {
  const menu = byId('actions');
  const close = () => { menu.open = false; };

  /** Does something with the conversation, once. */
  const act = (what) => async () => {
    close();
    menu.querySelector('summary').focus();
    const { session } = store.get();
    if (session === null) return;
    try {
      await what(session);
    } catch (err) {
      fail(err);
    }
  };

  async function undo(session) {
    const { turn, calls } = await api.undo(session);
    await refresh();
    announce(`Turn ${turn} is taken back.`);
    if (calls.length > 0) tellMade(`Turn ${turn} is taken back`, calls.map((c) => c.tool));
  }

  async function fork(session, turn) {
    const made = await api.fork(session, turn);
    announce(turn ? `A copy goes on after turn ${turn}.` : 'A copy goes on from here.');
    open(made.session_id);
  }

  async function test(session) {
    const mayReveal = store.get().agent?.scopes.includes('admin') ?? false;
    const text = await api.replay(session, mayReveal);
    showTest(text, mayReveal, async (reveal) => api.replay(session, reveal));
  }

  async function keep(session) {
    save(await api.exported(session, store.get().reveal), 'session.jsonl', 'application/x-ndjson');
    announce('The conversation is saved.');
  }

  const buttons = { undo, fork, test, export: keep };
  for (const [name, what] of Object.entries(buttons)) byId(`do-${name}`).addEventListener('click', act(what));
  menu.addEventListener('keydown', (e) => {
    if (e.key !== 'Escape' || !menu.open) return;
    close();
    menu.querySelector('summary').focus();
  });
  // It covers messages: it goes when the pointer or the focus goes elsewhere.
  document.addEventListener('pointerdown', (e) => { if (!menu.contains(e.target)) close(); });
  menu.addEventListener('focusout', (e) => { if (e.relatedTarget && !menu.contains(e.relatedTarget)) close(); });
  store.watch(['session', 'turns', 'missing', 'agent'], (s) => {
    menu.hidden = s.session === null || s.missing !== null;
    byId('do-undo').disabled = !s.turns.some((t) => !t.undone);
    byId('do-test').hidden = !s.agent?.authoring?.includes('replay');
  });

  /** Begins again just before a message, with its text in the field. */
  async function edit(turn, text) {
    const { session, agent, messages } = store.get();
    const writes = new Set((agent?.tools ?? []).filter((t) => t.effect === 'write').map((t) => t.name));
    const made = messages.filter((m) => m.turn >= turn).flatMap((m) => m.tool_calls ?? []).map((c) => c.tool).filter((t) => writes.has(t));
    const go = async () => {
      const { turns } = store.get();
      const unread = turns[0]?.turn === turn && turn > 1; // the page begins with it
      const before = unread ? turn - 1 : turns.findLast((t) => t.turn < turn && !t.undone)?.turn;
      try {
        const to = before === undefined ? null : (await api.fork(session, before)).session_id;
        draft(to, text);
        if (to === null) begin();
        else open(to);
      } catch (err) {
        return fail(err);
      }
      announce('Change the message and send it. The conversation that you were in stays as it is.');
      byId('message').focus();
    };
    if (made.length === 0) return go();
    ask('Say it again in other words?', made, go);
  }

  return { edit, fork: (turn) => act((session) => fork(session, turn))() };
}

const listed = (tools) => [...new Set(tools)].join(', ');

/** Tells of calls that an undo cannot take back. */
function tellMade(title, tools) {
  dialog(title, (close) => [
    h('p', {}, `${count(tools.length, 'call', 'calls')} that it made stay made: `, h('code', {}, listed(tools)), '.'),
    h('div', { class: 'choices' }, h('button', { type: 'button', class: 'primary', autofocus: true, onclick: close }, 'Close')),
  ]);
}

/** Asks before a conversation goes on from before a call that changed something. */
function ask(title, tools, go) {
  dialog(title, (close) => [
    h('p', {}, 'A copy of the conversation goes on from before this message. What was done since stays done, and may be done once more: ', h('code', {}, listed(tools)), '.'),
    h('div', { class: 'choices' },
      h('button', { type: 'button', class: 'small', autofocus: true, onclick: close }, 'Cancel'),
      h('button', { type: 'button', class: 'primary', onclick: () => { close(); go(); } }, 'Edit the message')),
  ]);
}

function showTest(text, mayReveal, read) {
  const shown = h('pre', { tabindex: 0, class: 'file', 'aria-label': 'The test' }, text);
  const status = h('p', { class: 'hint', role: 'status' });
  let current = text;
  const reveal = h('input', { type: 'checkbox', id: 'test-reveal', checked: mayReveal });
  reveal.addEventListener('change', async () => {
    try {
      current = await read(reveal.checked);
      shown.textContent = current;
    } catch (err) {
      status.textContent = err.message;
    }
  });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(current);
      status.textContent = 'Copied.';
    } catch {
      status.textContent = 'The browser does not permit it: select the text instead.';
    }
  };
  const box = dialog('A test of this conversation', (close) => [
    h('p', { class: 'hint' }, 'Save it in the folder tests beside the agent, where ', h('code', {}, 'slotway test'), ' finds it. It expects exactly what was answered here: take out what does not matter.'),
    mayReveal && h('label', { class: 'check' }, reveal, 'Values of redacted params as they were said: without them the test cannot run'),
    shown, status,
    h('div', { class: 'choices' },
      h('button', { type: 'button', class: 'small', onclick: close }, 'Close'),
      h('button', { type: 'button', class: 'small', onclick: copy }, 'Copy'),
      h('button', { type: 'button', class: 'primary', autofocus: true, onclick: () => save(current, 'conversation.yaml', 'application/yaml') }, 'Save as a file')),
  ]);
  box.classList.add('roomy');
}

/** Offers a text as a file. */
function save(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h('a', { href: url, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
