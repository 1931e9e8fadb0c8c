// The views at the right; on a narrow screen the conversation is one of them.
import { byId } from './dom.js';

export function mountTabs(store) {
  const list = byId('tabs');
  const all = [...list.querySelectorAll('[role=tab]')];
  const wide = matchMedia('(min-width: 60rem)');
  const usable = () => all.filter((t) => !t.hidden);

  function place() {
    // The order of focus is that of the eye: above the conversation, or between the two columns.
    if (wide.matches) byId('panel-chat').after(list);
    else byId('panel-chat').before(list);
    const chat = byId('panel-chat');
    if (wide.matches) chat.removeAttribute('role');
    else chat.setAttribute('role', 'tabpanel');
    const { tab } = store.get();
    store.set({ wide: wide.matches, tab: wide.matches && tab === 'chat' ? 'turn' : tab });
  }

  list.addEventListener('click', (e) => {
    const tab = e.target.closest('[role=tab]');
    if (tab) store.set({ tab: tab.dataset.tab });
  });
  list.addEventListener('keydown', (e) => {
    const tabs = usable();
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: (at + 1) % tabs.length, ArrowLeft: (at + tabs.length - 1) % tabs.length, Home: 0, End: tabs.length - 1 }[e.key];
    if (at < 0 || to === undefined) return;
    e.preventDefault();
    store.set({ tab: tabs[to].dataset.tab });
    tabs[to].focus();
  });
  wide.addEventListener('change', place);
  place();
  store.watch(['tab', 'wide'], (s) => {
    byId('frame').dataset.tab = s.tab;
    for (const t of all) {
      const chosen = t.dataset.tab === s.tab;
      t.setAttribute('aria-selected', String(chosen));
      t.tabIndex = chosen ? 0 : -1;
      if (chosen) t.scrollIntoView({ block: 'nearest', inline: 'nearest' });
      if (t.dataset.tab === 'chat') t.hidden = s.wide;
      byId(`panel-${t.dataset.tab}`).hidden = !chosen && !(s.wide && t.dataset.tab === 'chat');
    }
  });
}
