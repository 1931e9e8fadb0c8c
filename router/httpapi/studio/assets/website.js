// The chat for websites: the lines to copy, and the chat itself as it will look.
import { announce, byId, h, put } from './dom.js';
import { credentials, root } from './api.js';

const script = new URL('widget.js', root);

/** The attributes of the tag, by what the form says. */
const attributes = [
  ['title', 'Title', 'text', 'the agent\'s name'],
  ['greeting', 'Greeting', 'text', 'none'],
  ['theme', 'Theme', { '': 'as the visitor\'s system', light: 'light', dark: 'dark' }],
  ['position', 'Corner', { '': 'the usual one', start: 'the other one' }],
];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export function mountWebsite(store) {
  const card = h('div', { class: 'card', id: 'website' });
  const preview = h('div', { class: 'card', id: 'website-preview' }, h('h2', {}, 'Preview'),
    h('p', { class: 'hint' }, 'This is the widget itself: what is said here is said to the agent.'));
  const stage = h('div', { class: 'stage' });
  const status = h('p', { class: 'hint', role: 'status' });
  preview.append(stage, status);
  put(byId('panel-website'), card, preview);

  const given = Object.fromEntries(attributes.map(([name]) => [name, '']));
  const tag = code('The tag for your pages');
  const policy = code('What a Content-Security-Policy of your pages has to allow');
  const settings = code('Settings of this service');
  const pages = h('div', {});
  put(card, h('h2', {}, 'The agent on your website'),
    h('p', { class: 'hint prose' }, 'One tag puts the chat on a page. If visitors reach this service under another address, write that one.'),
    h('div', { class: 'look' }, attributes.map(([name, label, kind, usual]) => h('div', { class: 'fields' }, h('label', { for: `website-${name}` }, label), field(name, kind, usual)))),
    tag.block, policy.block, pages, settings.block);
  policy.show(`script-src ${script.origin}; connect-src ${script.origin}`);

  function field(name, kind, usual) {
    const oninput = (e) => {
      given[name] = e.target.value;
      write();
      clearTimeout(typing);
      typing = setTimeout(show, 400);
    };
    if (kind === 'text') return h('input', { id: `website-${name}`, type: 'text', placeholder: usual, autocomplete: 'off', oninput });
    return h('select', { id: `website-${name}`, onchange: oninput }, Object.entries(kind).map(([value, text]) => h('option', { value }, text)));
  }

  let typing;
  let chat; // the preview
  let asked = 0;

  function write() {
    const written = Object.entries(given).filter(([, value]) => value).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
    tag.show(`<script src="${script}" defer${written.join('')}></script>`);
  }

  /** Draws the preview anew; hidden, it would go on asking for messages. */
  async function show() {
    const mine = ++asked;
    chat?.remove();
    chat = undefined;
    const s = store.get();
    if (s.tab !== 'website' || !s.agent) return;
    try {
      await import(script);
    } catch {
      status.textContent = 'The widget could not be loaded.';
      return;
    }
    if (mine !== asked) return;
    status.textContent = '';
    const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value));
    chat = window.slotway.mount({
      ...options, server: root, inside: stage, open: true, user: credentials.user || undefined,
      token: credentials.key ? () => credentials.key : undefined,
    });
  }

  write();
  store.watch(['agent'], (s) => {
    const { visitors, origins } = s.agent?.pages ?? { visitors: false, origins: [] };
    put(pages, h('h3', {}, 'Who may talk'), h('ul', { class: 'facts' },
      h('li', {}, visitors ? 'Visitors without a key may talk.' : 'Visitors without a key may not talk yet.'),
      h('li', {}, origins.length > 0 ? ['Pages of ', origins.map((o, i) => [i > 0 && ', ', h('code', {}, o)]), ' may show the chat.'] : 'Pages of no other origin may show the chat yet.')));
    settings.show(`server:\n  cors: [${origins.length > 0 ? origins.map((o) => `"${o}"`).join(', ') : '"ORIGIN OF YOUR WEBSITE"'}]\n  widget: {visitors: true}`);
  });
  store.watch(['agent', 'tab'], show);
}

/** Lines to copy. */
function code(title) {
  const text = h('pre', { class: 'file', tabindex: 0, 'aria-label': title });
  const copy = h('button', { type: 'button', class: 'small', 'aria-label': `Copy: ${title}`, onclick: async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      announce('Copied.');
      copy.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(text); // to be copied by hand
    }
  } }, 'Copy');
  return {
    block: h('div', { class: 'lines-to-copy' }, h('div', { class: 'head' }, h('h3', {}, title), copy), text),
    show(lines) {
      text.textContent = lines;
      copy.textContent = 'Copy';
    },
  };
}
