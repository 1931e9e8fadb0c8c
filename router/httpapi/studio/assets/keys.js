// Shortcuts. All are with Alt, so that none is typed by accident.
import { byId, dialog, h } from './dom.js';

/** @type {[string, string, string, string][]} code of the key, its name, what it does, the action */
const shortcuts = [
  ['KeyM', 'M', 'write a message', 'message'],
  ['KeyN', 'N', 'begin a new conversation', 'begin'],
  ['Comma', ',', 'look at the turn before', 'back'],
  ['Period', '.', 'look at the turn after', 'forth'],
  ['KeyT', 'T', 'show the turn', 'turn'],
  ['KeyG', 'G', 'show the agent', 'agent'],
  ['KeyY', 'Y', 'show the memory', 'memory'],
  ['KeyL', 'L', 'show the live telemetry', 'live'],
  ['KeyS', 'S', 'show the conversations', 'sessions'],
  ['KeyP', 'P', 'show the report', 'report'],
  ['KeyW', 'W', 'show the chat for websites', 'website'],
  ['KeyI', 'I', 'show what improves the agent', 'improve'],
  ['KeyR', 'R', 'reveal or mask values', 'reveal'],
  ['KeyK', 'K', 'show this list', 'help'],
];

/** @param {Record<string, () => void>} actions */
export function mountKeys(actions) {
  const act = { ...actions, help };
  document.addEventListener('keydown', (e) => {
    if (!e.altKey || e.ctrlKey || e.metaKey || document.querySelector('dialog')) return;
    const found = shortcuts.find(([code]) => code === e.code);
    if (!found) return;
    e.preventDefault();
    act[found[3]]();
  });
  byId('help').addEventListener('click', help);
}

function help() {
  dialog('Shortcuts', (close) => [
    h('dl', { class: 'keys' }, shortcuts.map(([, name, what]) => [h('dt', {}, h('kbd', {}, 'Alt'), ' ', h('kbd', {}, name)), h('dd', {}, what)]),
      h('dt', {}, h('kbd', {}, '←'), ' ', h('kbd', {}, '→')), h('dd', {}, 'move along the views or the timeline, once they have the focus'),
      h('dt', {}, h('kbd', {}, 'Esc')), h('dd', {}, 'close a dialog')),
    h('div', { class: 'choices' }, h('button', { type: 'button', class: 'primary', autofocus: true, onclick: close }, 'Close')),
  ]);
}
