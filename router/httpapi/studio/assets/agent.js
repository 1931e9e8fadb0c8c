// The agent: the flow of the task under way with its steps lit, its params, and what else it can do.
import { byId, count, h, inline, put } from './dom.js';
import { light, passedOf } from './flow-light.js';
import { picture } from './flow-picture.js';
import { answersOf, tasksOf } from './skills.js';
import { atEnd, turnOf } from './store.js';

/** @param {(text: string) => void} draft puts a text into the message field */
export function mountAgent(store, api, { draft }) {
  const choice = h('select', { id: 'flow-intent' });
  const about = h('p', { class: 'hint', id: 'flow-about' });
  const box = h('div', { class: 'flow-box', id: 'flow', tabindex: 0, role: 'group', 'aria-label': 'Flow' });
  const words = h('p', { class: 'hint', id: 'flow-words' });
  const key = legend();
  const params = h('div', { class: 'card', id: 'flow-params' });
  const skills = h('div', { class: 'card', id: 'skills' });
  put(byId('panel-agent'),
    h('div', { class: 'card' },
      h('div', { class: 'head flow-head' }, h('h2', {}, 'Flow of a task'), h('label', { class: 'flow-choice' }, h('span', { class: 'quiet' }, 'Show '), choice)),
      about, key, box, words),
    h('div', { class: 'pair' }, params, skills));

  const flows = new Map(); // by intent; of the agent that is served now
  let served = null;
  let chosen = ''; // an intent; "": the one under way
  let at = ''; // the node that was brought into view last

  choice.addEventListener('change', () => {
    chosen = choice.value;
    draw(store.get());
  });
  store.watch(['agent'], (s) => {
    if (s.agent === served) return;
    served = s.agent;
    flows.clear();
    if (chosen && !s.agent?.intents.some((i) => i.id === chosen)) chosen = '';
    list(s);
    can(s, skills, draft);
  });
  store.watch(['agent', 'turns', 'selected', 'standing', 'trace', 'tab', 'reveal'], draw);

  /** Fills the list of intents. */
  function list(s) {
    const all = (s.agent?.intents ?? []).filter((i) => !i.system);
    const some = (name, of) => of.length > 0 && h('optgroup', { label: name }, of.map((i) => h('option', { value: i.id }, i.id)));
    put(choice, h('option', { value: '' }, 'the task under way'), some('Tasks', all.filter((i) => i.task)), some('Answers', all.filter((i) => !i.task)));
    choice.value = chosen;
  }

  async function draw(s) {
    if (s.tab !== 'agent' || !s.agent) return;
    const intent = chosen || underWay(s);
    if (!intent) return empty('No task is under way. Choose one above, or say something.');
    let flow = flows.get(intent);
    if (!flow) {
      try {
        flow = await api.flow(intent);
      } catch (err) {
        if ((chosen || underWay(store.get())) === intent) empty(`${err.title ?? 'The flow cannot be shown'}. ${err.message}`);
        return;
      }
      if (store.get().agent !== s.agent) return; // another agent's by now
      flows.set(intent, flow);
      return draw(store.get());
    }
    show(s, flow);
  }

  function empty(text) {
    about.textContent = text;
    put(box);
    put(words);
    key.hidden = box.hidden = params.hidden = true; // there is nothing that they could tell of
    at = '';
  }

  function show(s, flow) {
    const [standing, before] = around(s);
    const passed = passedOf(flow.intent, standing, before, s.trace?.turn === turnOf(s)?.turn ? s.trace : null);
    const lit = light(flow, passed);
    const caller = standing?.plan?.active?.intent === flow.intent && standing.plan.active.caller;
    about.textContent = `${titleOf(s, flow.intent)}. ${caller ? `A part of ${titleOf(s, caller.intent)}. ` : ''}${flow.caption}`;
    key.hidden = box.hidden = params.hidden = false;
    const place = [box.scrollLeft, box.scrollTop];
    put(box, picture(flow, lit));
    [box.scrollLeft, box.scrollTop] = place;
    put(words, inWords(flow, lit, passed));
    put(params, h('h2', {}, 'Params'), table(s, flow, passed));
    const now = flow.nodes.find((n) => lit.nodes.get(n.id) === 'now');
    const here = `${flow.intent} ${now?.id ?? ''}`;
    if (here !== at && now) bring(now);
    else if (!at.startsWith(`${flow.intent} `)) box.scrollTo(0, 0);
    at = here;
  }

  /** Scrolls the picture, and never the page, to a node. */
  function bring(n) {
    box.scrollTop = Math.max(0, n.place.y + n.place.height / 2 - box.clientHeight / 2);
    box.scrollLeft = Math.max(0, n.place.x + n.place.width / 2 - box.clientWidth / 2);
  }
}

/** The state after the turn looked at, and the one before it. */
function around(s) {
  const turn = turnOf(s);
  const i = s.turns.indexOf(turn);
  return [atEnd(s) ? s.standing : turn?.state, i > 0 ? s.turns[i - 1].state : null];
}

/** The intent that the turn looked at was about: a yes or a no is about the task before it. */
function underWay(s) {
  const [standing, before] = around(s);
  const known = (id) => (s.agent.intents.some((i) => i.id === id && !i.system) ? id : '');
  return standing?.plan?.active?.intent || known(turnOf(s)?.intent) || (before?.plan?.active?.intent ?? '');
}

const titleOf = (s, id) => s.agent.intents.find((i) => i.id === id)?.title ?? id;

function legend() {
  return h('ul', { class: 'flow-legend', 'aria-label': 'Legend' },
    [['done', 'done'], ['now', 'stands here'], ['next', 'comes next']].map(([kind, text]) => h('li', {}, h('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), text)));
}

/** The same for readers who do not see the picture. */
function inWords(flow, lit, passed) {
  if (!passed) return 'This task is not under way.';
  const named = (mark) => flow.nodes.filter((n) => lit.nodes.get(n.id) === mark && n.shape !== 'start').map((n) => n.text || 'the end');
  const part = (name, mark) => {
    const list = named(mark);
    const text = list.join(', ');
    return list.length > 0 && [h('strong', {}, name), ` ${text}${/[.?!…]$/.test(text) ? '' : '.'} `];
  };
  return [part('Done:', 'done'), part('Stands at:', 'now'), part('Next:', 'next')];
}

/** The params of the intent: what is known, what is asked and what is open. */
function table(s, flow, passed) {
  // A task that only runs as a part of others is not on the agent's list: its questions tell.
  const names = s.agent.intents.find((i) => i.id === flow.intent)?.params ?? [...new Set(flow.nodes.map((n) => n.param).filter(Boolean))];
  if (names.length === 0) return h('p', { class: 'hint' }, 'It needs no param.');
  const about = new Map(s.agent.params.map((p) => [p.name, p]));
  return h('table', {},
    h('thead', {}, h('tr', {}, ['Param', 'State', 'Value'].map((c) => h('th', { scope: 'col' }, c)))),
    h('tbody', {}, names.map((name) => {
      const value = passed && Object.hasOwn(passed.params, name) ? passed.params[name] : null;
      const asked = passed?.question?.param === name;
      const state = asked ? 'asked now' : value !== null || passed?.found?.includes(name) ? 'filled' : 'open';
      return h('tr', { 'data-param': name, 'data-state': state },
        h('th', { scope: 'row' }, h('code', {}, name), about.get(name)?.label !== name && h('span', { class: 'quiet' }, ` ${about.get(name)?.label ?? ''}`)),
        h('td', {}, h('span', { class: `chip ${asked ? 'waiting' : ''}` }, state)),
        h('td', {}, value !== null && shown(value, about.get(name), s.reveal)));
    })));
}

const shown = (value, about, revealed) => (about?.redacted && !revealed
  ? h('span', { class: 'masked' }, inline(value), h('span', { class: 'tag' }, 'masked')) : h('span', { class: 'value' }, inline(value)));

/** What the agent can do, each with a message that begins it. */
function can(s, card, draft) {
  const [tasks, answers] = [tasksOf(s.agent), answersOf(s.agent)];
  const button = (i) => h('li', {}, h('button', { type: 'button', class: 'skill', 'data-intent': i.id, onclick: () => draft(i.example) },
    h('strong', {}, i.title), h('span', { class: 'quiet' }, `“${i.example}”`)));
  put(card, h('h2', {}, 'What it can do'),
    tasks.length + answers.length > 0
      ? [h('p', { class: 'hint' }, 'A sentence goes into the message field; nothing is sent.'), h('ul', { class: 'skills' }, tasks.map(button))]
      : h('p', { class: 'hint' }, 'Its tasks have no examples.'),
    answers.length > 0 && h('details', {}, h('summary', {}, count(answers.length, 'answer in passing', 'answers in passing')), h('ul', { class: 'skills' }, answers.map(button))));
}
