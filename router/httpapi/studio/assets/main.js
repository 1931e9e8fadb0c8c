// Slotway studio. This module puts the page together; the others, in the order in which a
// reader may want them:
//
//   store.js         the state of the page, and who is told of changes
//   api.js stream.js the HTTP API, problem documents, server-sent events
//   outbox.js        messages on their way: once, in order, across failures and reloads
//   conversation.js  reading the conversation and the turn looked at
//   chat.js options.js   the conversation, the field to continue it, and what can be said
//   actions.js       what can be done with it: undo, fork, edit, keep as a test
//   handoff.js       a person in the place of the agent
//   timeline.js machine.js machine-layout.js taken.js state.js why.js stages.js   a turn
//   agent.js flow-light.js flow-picture.js skills.js   the flow of a task, and what else the agent can do
//   memory.js live.js sessions.js                                         the other views
//   report.js        what became of the tasks in all conversations
//   website.js       the chat for websites: lines to copy, and a preview
//   improve.js label.js evaluation.js evaluation-charts.js   what an author improves the agent with
//   reload.js        errors in the agent's files, from a service that reads them anew
//   access.js tabs.js keys.js theme.js dom.js                             the page itself
import { createApi, unknown } from './api.js';
import { announce, byId, h, put } from './dom.js';
import { mountAccess } from './access.js';
import { mountActions } from './actions.js';
import { mountAgent } from './agent.js';
import { mountChat, silent } from './chat.js';
import { createConversation } from './conversation.js';
import { mountHandoff } from './handoff.js';
import { mountImprove } from './improve.js';
import { mountKeys } from './keys.js';
import { mountLive } from './live.js';
import { mountMachine } from './machine.js';
import { mountMemory } from './memory.js';
import { mountOptions } from './options.js';
import { createOutbox } from './outbox.js';
import { mountReload } from './reload.js';
import { mountReport } from './report.js';
import { mountSessions } from './sessions.js';
import { mountSteps } from './stages.js';
import { mountState } from './state.js';
import { createStore, initial } from './store.js';
import { mountTabs } from './tabs.js';
import { mountTaken } from './taken.js';
import { mountTheme } from './theme.js';
import { mountTimeline } from './timeline.js';
import { mountWebsite } from './website.js';
import { mountWhy } from './why.js';

/** The conversation that the address names; null where it names none. */
function named() {
  if (!location.hash.startsWith('#s=')) return null;
  try {
    return decodeURIComponent(location.hash.slice(3));
  } catch {
    return location.hash.slice(3); // a % that begins nothing: it is not ours, and no conversation is called that
  }
}
const open = (session) => { location.hash = `s=${encodeURIComponent(session.toWellFormed())}`; };

const store = createStore({ ...initial(), session: named(), loading: named() !== null });
const access = mountAccess(changed);
const api = createApi((problem) => access.ask(problem));
const conversation = createConversation(store, api, fail);
const outbox = createOutbox(store, api, answered, moved);

let offline = false; // what the notice says is that no answer came

/** Says plainly what went wrong, until it is put away or the service is back. */
function fail(err) {
  if (unknown(err)) return; // the dialog says so
  const notice = byId('notice');
  const hide = () => { notice.hidden = true; };
  put(notice, h('p', {}, h('strong', {}, `${err.title ?? 'Something went wrong'}. `), err.title ? err.message : 'The page met something that it did not expect.'),
    h('button', { type: 'button', class: 'small', onclick: () => { hide(); start(); } }, 'Try again'),
    h('button', { type: 'button', class: 'small', onclick: hide }, 'Put away'));
  notice.hidden = false;
  offline = err.status === 0;
}

/** Takes in the answer to a message. */
async function answered(item, reply) {
  const s = store.get();
  s.spoken.set(`${item.session}/${reply.turn}`, { said: item.text, reply: reply.reply, options: reply.options ?? [] });
  if (s.session === null && s.fresh === item.fresh) {
    conversation.adopt(item.session);
    history.replaceState(null, '', `#s=${encodeURIComponent(item.session)}`);
  }
  if (store.get().session !== item.session) return;
  announce(reply.reply || silent(reply));
  await conversation.refresh();
}

/** Takes in that a message was not taken, because the conversation went on elsewhere. */
function moved(item) {
  if (store.get().session !== item.session) return;
  announce(`Not sent. ${item.note}`);
  conversation.refresh();
}

/** Takes in that a turn has ended somewhere; null: some may have been missed. */
function happened(path) {
  const s = store.get();
  if (path !== null && (path.session_id !== s.session || path.turn <= (s.turns.at(-1)?.turn ?? 0))) return;
  if (s.outbox.some((i) => i.session === s.session && i.status === 'sending')) return; // its answer says so too
  catchUp();
}

let behind = 0; // 1: the conversation is being read; 2: and has gone on since

/** Reads the conversation, one reading after the other however many turns end meanwhile. */
async function catchUp() {
  if (behind > 0) {
    behind = 2;
    return;
  }
  do {
    behind = 1;
    await conversation.refresh();
  } while (behind === 2);
  behind = 0;
}

function begin() {
  history.pushState(null, '', location.pathname + location.search);
  conversation.open(null);
  if (!store.get().wide) store.set({ tab: 'chat' });
  byId('message').focus();
}

/** Reads who answers and what is shown, with the key there is now. */
async function start() {
  try {
    store.set({ agent: await api.agent() });
  } catch (err) {
    return fail(err);
  }
  byId('notice').hidden = true;
  live.connect();
  if (store.get().session !== null) await conversation.refresh();
  outbox.admitted();
}

/** Begins anew with another key: nothing stays that was another's. */
function changed() {
  conversation.forget();
  live.forget();
  store.set({ agent: null });
  start();
}

function reveal() {
  if (!byId('reveal').hidden) conversation.reveal(!store.get().reveal);
}

const unfinished = outbox.resume();
if (named() === null && unfinished) store.set({ fresh: unfinished });
mountTheme();
mountTabs(store);
const show = (id) => { open(id); if (!store.get().wide) store.set({ tab: 'chat' }); };
const actions = mountActions(store, api, { open: show, begin, draft: (id, text) => chat.draft(id, text), refresh: () => conversation.refresh(), fail });
const chat = mountChat(store, { outbox, conversation, begin, edit: actions.edit, fork: actions.fork });
mountOptions(store, chat.say);
mountHandoff(store, api, { refresh: () => conversation.refresh(), fail });
const timeline = mountTimeline(store, conversation);
mountMachine(store);
mountTaken(store);
mountState(store, conversation);
mountWhy(store);
mountSteps(store);
mountAgent(store, api, { draft: (text) => { if (!store.get().wide) store.set({ tab: 'chat' }); chat.write(text); } });
mountMemory(store, conversation);
const live = mountLive(store, api, happened);
mountSessions(store, api, { open: show, begin, fail });
mountReport(store, api);
mountWebsite(store);
mountImprove(store, api);
mountReload(store, api, (agent) => store.set({ agent }));
mountKeys({
  message: () => { if (!store.get().wide) store.set({ tab: 'chat' }); byId('message').focus(); },
  begin, reveal,
  back: () => timeline.step(-1),
  forth: () => timeline.step(1),
  ...Object.fromEntries(['turn', 'agent', 'memory', 'live', 'sessions', 'report', 'website', 'improve'].map((tab) => [tab, () => { if (byId(`tab-${tab}`).hidden) return; store.set({ tab }); byId(`tab-${tab}`).focus(); }])),
});

store.watch(['turns', 'outbox'], outbox.tidy);
store.watch(['link'], (s) => { if (s.link === 'on' && offline) byId('notice').hidden = true; });
store.watch(['agent', 'reveal'], (s) => {
  byId('agent').textContent = s.agent ? `${s.agent.id} · ${s.agent.user}` : '';
  const button = byId('reveal');
  button.hidden = !s.agent?.scopes.includes('admin');
  button.setAttribute('aria-pressed', String(s.reveal));
  button.title = s.reveal ? 'Mask redacted values' : 'Show redacted values';
});
byId('reveal').addEventListener('click', reveal);
byId('skip').addEventListener('click', (e) => {
  e.preventDefault(); // the fragment names the conversation
  if (!store.get().wide) store.set({ tab: 'chat' });
  byId('message').focus();
});
addEventListener('hashchange', () => conversation.open(named()));
addEventListener('popstate', () => conversation.open(named()));

start();
