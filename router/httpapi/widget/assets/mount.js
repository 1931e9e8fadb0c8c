const script = document.currentScript;

/**
 * Puts the widget into the page. Options: title, greeting, position ("start" or "end"), theme ("light" or
 * "dark"), lang, open, words; token, a function that returns the credential of the page's user; inside, an
 * element, so that the widget sits in its corner and not in the window's; server, the address of the service.
 */
function mount(given = {}) {
  const options = { server: script?.src && new URL('.', script.src), ...given, words: { ...english, ...given.words } };
  if (!options.server) throw new Error('slotway: mount needs the option server, the address of the service');
  let talk; // the panel needs it, and is created first
  const panel = createPanel(options, {
    say: (text) => talk.say(text),
    again: () => talk.again(),
    discard: () => talk.discard(),
    opened(is) {
      talk.tab.set({ open: is });
      talk.opened(is);
    },
  });
  talk = createTalk(options, panel);
  (options.inside ?? document.body).append(panel.host);
  talk.resume();
  // On a telephone the panel covers the page, so only the person opens it.
  if (talk.tab.get().open ?? (![undefined, false, 'false'].includes(options.open) && (options.inside || !narrow.matches))) panel.open(false);
  return {
    host: panel.host,
    open: () => panel.open(),
    close: () => panel.close(),
    remove() {
      talk.end();
      panel.remove();
    },
  };
}

const page = window.slotway ??= {};
page.mount = mount;
// A module, or a second copy of the script, mounts nothing by itself.
if (script && !page.chat) {
  const start = () => { page.chat = mount({ ...page, ...script.dataset }); };
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start);
}
