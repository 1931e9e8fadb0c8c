const narrow = matchMedia('(max-width: 30em), (max-height: 26em)');

const icons = {
  chat: 'M4 5h16v11H9l-5 4z',
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M4 12h15M13 6l6 6-6 6',
};

/**
 * The visible part: a button, and the panel that it opens.
 * @param {object} acts called when the person acts: say, again, discard, opened
 */
function createPanel(options, acts) {
  const { words } = options;
  const speakers = { user: words.you, agent: words.agent };
  const host = h('slotway-chat', { lang: options.lang, inside: Boolean(options.inside), position: options.position, theme: options.theme });
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];

  const count = h('span', { class: 'count', hidden: true, 'aria-hidden': 'true' });
  const launch = h('button', { type: 'button', class: 'launch', 'aria-expanded': 'false', 'aria-controls': 'panel', click: () => (panel.open ? close() : open()) }, icon(icons.chat), count);
  const title = h('span', { id: 'title' });
  const log = h('div', { class: 'log', role: 'log', 'aria-live': 'polite', 'aria-label': words.log, tabindex: 0 });
  const who = h('p', { class: 'who', role: 'status', hidden: true });
  const note = h('p', { class: 'note', role: 'status' });
  const told = h('p', { class: 'hidden', role: 'status' }); // for people who do not see the button
  const offers = h('div', { class: 'offers', role: 'group', 'aria-label': words.options, hidden: true });
  const field = h('textarea', { id: 'field', rows: 1, placeholder: words.message, 'aria-label': words.message, autocomplete: 'off', enterkeyhint: 'send', input: grow, keydown: typed });
  const send = h('button', { class: 'send', 'aria-label': words.send }, icon(icons.send));
  const panel = h('dialog', { id: 'panel', class: 'panel', 'aria-labelledby': 'title', keydown: escape, cancel: (e) => { e.preventDefault(); close(); }, close: settled },
    h('div', { class: 'head' }, title, h('button', { type: 'button', class: 'close', 'aria-label': words.close, click: () => close() }, icon(icons.close))),
    who, log, note, offers,
    h('form', { submit: (e) => { e.preventDefault(); submit(); } }, field, send));
  root.append(h('section', { 'aria-labelledby': 'title' }, panel, launch, told));

  let pending = null; // the element of the message that is being sent
  let draft = null;
  let unread = 0;
  let follows = true; // the newest message is in sight

  name(options.title);
  if (options.greeting) add('agent', options.greeting);
  badge();
  grow();
  narrow.addEventListener('change', fit);
  // Options below the log, and a keyboard on the screen, make the log shorter.
  log.addEventListener('scroll', () => { follows = atEnd(); });
  const shape = new ResizeObserver(() => { if (follows) end(); });
  shape.observe(log);

  function name(text) {
    title.textContent = text || title.textContent || 'Chat';
  }

  function open(focus = true) {
    if (panel.open) return;
    if (narrow.matches && !options.inside) panel.showModal();
    else panel.open = true; // show() would move the focus, and scroll the page
    launch.setAttribute('aria-expanded', 'true');
    unread = 0;
    badge();
    end();
    if (focus) field.focus();
    acts.opened(true);
  }

  function close() {
    if (!panel.open) return;
    panel.close();
    launch.focus({ preventScroll: true });
  }

  /** Runs after the panel has closed, even if the browser closed it. */
  function settled() {
    if (panel.open) return;
    launch.setAttribute('aria-expanded', 'false');
    acts.opened(false);
  }

  /** Switches between modal and not when the window has become small or large. */
  function fit() {
    if (!panel.open) return;
    const at = root.activeElement;
    panel.close();
    open(false);
    at?.focus();
  }

  function escape(e) {
    if (e.key !== 'Escape' || e.isComposing) return;
    e.preventDefault();
    e.stopPropagation(); // Escape closes nothing else on the page
    close();
  }

  function typed(e) {
    if (e.key !== 'Enter' || e.shiftKey || e.isComposing) return;
    e.preventDefault();
    submit();
  }

  function grow() {
    field.rows = Math.min(5, field.value.split('\n').length);
    send.setAttribute('aria-disabled', String(pending !== null || field.value.trim() === ''));
  }

  function submit() {
    if (acts.say(field.value)) field.value = '';
    grow();
    field.focus();
  }

  function badge() {
    count.hidden = unread === 0;
    count.textContent = unread || '';
    const more = unread > 0 ? words.unread.replace('{n}', unread) : '';
    launch.setAttribute('aria-label', more ? `${words.open}. ${more}` : words.open);
    told.textContent = more;
  }

  function atEnd() {
    return log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  }

  function end() {
    log.scrollTop = log.scrollHeight;
  }

  /** Creates a message; person: the name of the person who said it in the agent's place. */
  function bubble(role, content, person) {
    const speaker = person === undefined ? h('span', { class: 'hidden' }, `${speakers[role]}: `) : h('b', { dir: 'auto' }, person || words.person);
    return h('div', { class: `message ${role}` }, speaker, h('p', { dir: 'auto' }, ...content));
  }

  /** Adds a message before the pending one and the draft. */
  function add(role, text, person) {
    log.insertBefore(bubble(role, linked(text), person), pending ?? draft);
    if (follows) end();
  }

  function drop(element) {
    element?.remove();
    return null;
  }

  return {
    host, open, close,
    isOpen: () => panel.open,
    forget() {
      for (const m of [...log.children]) if (m !== pending && m !== draft) m.remove();
      if (options.greeting) add('agent', options.greeting);
      this.options([]);
    },
    messages(list, { first, agent, answered }) {
      if (!options.title) name(agent.name);
      if (!options.lang && agent.language) log.lang = agent.language;
      if (answered !== undefined) draft = drop(draft);
      for (const m of list) {
        if (answered !== undefined && pending && m.role === 'user' && m.turn === answered) {
          pending.classList.remove('pending'); // the element stays, because screen readers have read it out
          pending = null;
        } else add(m.role, m.text, m.person);
      }
      if (answered !== undefined) pending = drop(pending); // the stored message is shown already
      const news = list.filter((m) => m.role === 'agent').length;
      if (!panel.open && !first) {
        unread += news;
        badge();
      }
      grow();
    },
    /** Shows who has the conversation; null: the agent. */
    person(name) {
      who.hidden = name === null;
      const text = name === null ? '' : words.with.replace('{name}', name || words.person);
      if (who.textContent !== text) who.textContent = text;
      if (name !== null) this.options([]); // they answer the agent's question
    },
    pending(text) {
      pending = bubble('user', linked(text));
      pending.classList.add('pending');
      log.append(pending);
      this.options([]);
      end();
      grow();
    },
    dropped() {
      pending = drop(pending);
      grow();
    },
    waiting(is) {
      draft = drop(draft);
      if (is) this.draft('');
    },
    /** Shows the answer so far; screen readers read it out at its end. null: removes it. */
    draft(text) {
      draft = drop(draft);
      if (text === null) return;
      draft = text ? bubble('agent', linked(text)) : h('div', { class: 'message agent dots', title: words.writing }, h('i'), h('i'), h('i'));
      draft.setAttribute('aria-hidden', 'true');
      log.append(draft);
      if (follows) end();
    },
    note(text) {
      if (note.textContent !== text) note.replaceChildren(text);
    },
    failed(text) {
      draft = drop(draft);
      note.replaceChildren(text, ' ',
        h('button', { type: 'button', click: () => { acts.again(); field.focus(); } }, words.again), ' ',
        h('button', { type: 'button', click: () => { field.value = acts.discard(); grow(); field.focus(); } }, words.edit));
    },
    options(list) {
      offers.hidden = list.length === 0;
      offers.replaceChildren(...list.map((o) => h('button', { type: 'button', dir: 'auto', click: () => { acts.say(o.say); field.focus(); } }, o.title)));
    },
    remove() {
      shape.disconnect();
      narrow.removeEventListener('change', fit);
      host.remove();
    },
  };
}
