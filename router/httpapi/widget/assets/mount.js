const script = document.currentScript;

/**
 * Puts the widget into the page. Options: title, greeting, position ("start" or "end"), theme ("light" or
 * "dark"), lang, open, words; token, a function that gives the credential of the page's own user; inside, the
 * element whose lower corner it takes instead of the window's; server, the address of the service.
 */
function mount(given = {}) {
  const options = { server: script?.src && new URL('.', script.src), ...given, words: { ...english, ...given.words } };
  let talk; // the panel comes first, and both know the other
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
  // On a telephone it would cover the page, which only the person may ask for.
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
// As a module, or a second time, it waits to be mounted.
if (script && !page.chat) {
  const start = () => { page.chat = mount({ ...page, ...script.dataset }); };
  if (document.body) start();
  else document.addEventListener('DOMContentLoaded', start);
}
