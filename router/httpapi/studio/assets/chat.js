// The conversation as it is read, and the field in which it is continued.
import { personOf } from './handoff.js';
import { byId, count, h, put, sync, time } from './dom.js';
import { answersOf, tasksOf } from './skills.js';
import { turnOf } from './store.js';

const draftOf = (session) => `slotway.draft:${session ?? ''}`;

export function mountChat(store, { outbox, conversation, begin, edit, fork }) {
  const log = byId('log');
  const field = byId('message');
  let drafted = ''; // where the draft in the field is kept
  let fresh = '';

  store.watch(['messages', 'whole', 'outbox', 'session', 'fresh', 'missing', 'loading', 'agent', 'spoken', 'reveal'], (s) => {
    const end = atEnd();
    log.setAttribute('aria-busy', String(s.loading));
    draw(s);
    mark(s);
    if (end) log.scrollTop = log.scrollHeight;
    if (drafted !== draftOf(s.session) || fresh !== s.fresh) change(s);
  });
  store.watch(['selected', 'turns'], mark);

  // A banner above the log or offers below it make it shorter: what was said last stays in sight.
  let follows = true;
  log.addEventListener('scroll', () => { follows = atEnd(); });
  new ResizeObserver(() => { if (follows) log.scrollTop = log.scrollHeight; }).observe(log);

  function atEnd() {
    return log.scrollHeight - log.scrollTop - log.clientHeight < 80;
  }

  function change(s) {
    if (fresh === s.fresh) sessionStorage.removeItem(drafted); // it has got its id: what is being typed goes along
    else field.value = sessionStorage.getItem(draftOf(s.session)) ?? '';
    [drafted, fresh] = [draftOf(s.session), s.fresh];
    keep();
  }

  function draw(s) {
    const items = s.outbox.filter((i) => (i.session === null ? i.fresh === s.fresh && s.session === null : i.session === s.session));
    const entries = [...head(s, items), ...s.messages.flatMap((m) => ofMessage(s, m)), ...items.map(ofItem)];
    sync(log, entries, (e) => e.key, (e) => e.make());
  }

  function head(s, items) {
    if (s.missing) return [{ key: `missing ${s.session}`, make: () => missing(s.session, begin) }];
    if (!s.whole) return [{ key: 'earlier', make: earlier }];
    if (s.messages.length === 0 && items.length === 0 && !s.loading && s.agent) return [{ key: `welcome ${s.agent.id}`, make: () => welcome(s.agent, say) }];
    return [];
  }

  const earlier = () => h('button', { type: 'button', class: 'small earlier', onclick: () => conversation.earlier() }, 'Earlier messages');

  function ofMessage(s, m) {
    const text = spokenText(s, m) ?? m.text;
    const key = `${s.session}/${m.seq}/${text}`;
    if (m.role === 'tool') return [{ key, make: () => call(m) }];
    if (m.role !== 'user' && m.role !== 'agent') return [];
    const by = personOf(m);
    return [{ key, make: () => bubble(m.role, text, m.turn, [by !== undefined && h('strong', {}, by || 'A person'), turnLink(m.turn), again(m, text), time(m.timestamp)], by !== undefined) }];
  }

  // What was said from this page is shown as it was said: it is the person's own channel.
  // Only after a reload is it read back, masked.
  function spokenText(s, m) {
    const own = s.spoken.get(`${s.session}/${m.turn}`);
    return own && { user: own.said, agent: own.reply }[m.role];
  }

  const turnLink = (turn) => turn && h('button', {
    type: 'button', class: 'link-button', 'aria-label': `Look at turn ${turn}`, onclick: () => { conversation.select(turn); store.set({ tab: 'turn' }); },
  }, `turn ${turn}`);

  /** From here the person goes another way: with other words, or in a copy. */
  const again = (m, text) => m.turn && (m.role === 'user'
    ? h('button', { type: 'button', class: 'link-button', 'aria-label': `Edit the message of turn ${m.turn}`, onclick: () => edit(m.turn, text) }, 'edit')
    : h('button', { type: 'button', class: 'link-button', 'aria-label': `Fork after turn ${m.turn}: go on in a copy`, onclick: () => fork(m.turn) }, 'fork'));

  function ofItem(item) {
    const key = `${item.id}/${item.status}/${item.note}`;
    return { key, make: () => h('div', { class: 'exchange' }, bubble('user', item.text, undefined, state(item)), answer(item)) };
  }

  function state(item) {
    switch (item.status) {
      case 'failed':
        return [h('span', { class: 'bad' }, `Not sent. ${item.note}`),
          h('button', { type: 'button', class: 'link-button', onclick: () => outbox.again(item.id) }, 'Send again'),
          h('button', { type: 'button', class: 'link-button', onclick: () => { outbox.discard(item.id); field.value = item.text; keep(); field.focus(); } }, 'Edit')];
      case 'waiting':
        return [h('span', { class: 'warn' }, item.note)];
      case 'sent':
        return [];
      default:
        return [item.status === 'queued' ? 'Waiting for its turn' : 'Sending'];
    }
  }

  function answer(item) {
    if (item.status === 'sent') return item.reply.reply || !item.reply.person ? bubble('agent', item.reply.reply, item.reply.turn, []) : h('p', { class: 'hint' }, silent(item.reply));
    return item.status === 'sending' && h('p', { class: 'dots', 'aria-hidden': 'true' }, h('span'), h('span'), h('span'));
  }

  function mark(s) {
    const turn = s.selected === null ? undefined : turnOf(s)?.turn;
    for (const element of log.querySelectorAll('[data-turn]')) {
      element.classList.toggle('chosen', Number(element.dataset.turn) === turn);
      element.classList.toggle('later', turn !== undefined && Number(element.dataset.turn) > turn);
    }
  }

  function grow() {
    field.rows = Math.min(6, Math.max(1, field.value.split('\n').length));
    byId('send').disabled = field.value.trim() === '';
  }

  function keep() {
    if (field.value) sessionStorage.setItem(drafted, field.value);
    else sessionStorage.removeItem(drafted);
    grow();
  }

  function send() {
    const text = field.value.trim();
    if (text === '' || store.get().missing) return;
    field.value = '';
    keep();
    say(text);
  }

  function say(text) {
    conversation.select(null);
    log.scrollTop = log.scrollHeight;
    outbox.add(text);
  }

  field.addEventListener('input', keep);
  field.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter' || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    send();
  });
  byId('composer').addEventListener('submit', (e) => {
    e.preventDefault();
    send();
    field.focus();
  });
  byId('new').addEventListener('click', begin);
  grow();
  return {
    /** Keeps a text to be changed and sent in a conversation; null: in one not begun. */
    draft(session, text) {
      sessionStorage.setItem(draftOf(session), text);
      if (session === null && store.get().session === null) field.value = text;
    },
    /** Says what an offer stands for. What is being typed stays. */
    say(text) {
      say(text);
      field.focus();
    },
    /** Puts a text into the field, in place of what it holds, to be changed or sent. */
    write(text) {
      field.value = text;
      keep();
      field.focus();
      field.setSelectionRange(text.length, text.length);
    },
  };
}

/** Why the agent has said nothing. */
export const silent = (reply) => (reply.person ? `${reply.person.by || 'A person'} has this conversation.` : '');

function bubble(role, text, turn, meta, person = false) {
  return h('article', { class: person ? `message ${role} person` : `message ${role}`, 'data-turn': turn },
    h('h3', { class: 'hidden' }, person ? 'Person' : role === 'user' ? 'You' : 'Agent'),
    h('p', { class: 'text' }, text || h('span', { class: 'quiet' }, '(nothing said)')),
    h('p', { class: 'meta' }, ...meta.filter(Boolean).flatMap((part) => [part, ' '])));
}

function call(m) {
  return h('details', { class: 'call', 'data-turn': m.turn },
    h('summary', {}, 'called ', h('code', {}, m.name ?? 'a tool')), h('pre', { tabindex: 0 }, m.text));
}

const most = 8; // things to say that are offered at the beginning

function welcome(agent, say) {
  const skills = [...tasksOf(agent), ...answersOf(agent)];
  const more = skills.length - most;
  return h('div', { class: 'welcome' },
    h('p', { class: 'lead' }, `Say something to ${agent.id}.`),
    agent.description && h('p', {}, agent.description, '.'),
    skills.length > 0 && [
      h('p', { class: 'quiet' }, 'It knows how to'),
      h('ul', {}, skills.slice(0, most).map((i) => h('li', {}, h('span', {}, i.description || i.title), ' ',
        h('button', { type: 'button', class: 'link-button', onclick: () => say(i.example) }, `“${i.example}”`)))),
      more > 0 && h('p', { class: 'quiet' }, `and ${count(more, 'more thing')}, listed under Agent.`),
    ]);
}

function missing(session, begin) {
  const box = h('div', { class: 'welcome' });
  put(box, h('p', { class: 'lead' }, 'There is no such conversation.'),
    h('p', {}, 'It was erased, or it belongs to somebody else: ', h('code', {}, session)),
    h('button', { type: 'button', class: 'primary', onclick: begin }, 'Begin a new one'));
  return box;
}
