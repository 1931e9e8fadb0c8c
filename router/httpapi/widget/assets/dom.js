/** Creates an element. A property that is a function becomes a listener; text never becomes markup. */
function h(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
}

/** Creates an icon from one path. */
function icon(d) {
  const svg = (tag, props, ...children) => filled(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
  return svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d }));
}

// Characters that change the direction of text end an address: a link must lead where its text says.
const address = /https:\/\/[^\s<>"'\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g;

/** Turns the addresses in a text into links. Punctuation after an address belongs to the sentence. */
function linked(text) {
  const out = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    const url = match[0].replace(/[.,;:!?)\]}*]+$/, '');
    if (!URL.canParse(url)) continue;
    out.push(text.slice(at, match.index), h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url));
    at = match.index + url.length;
  }
  out.push(text.slice(at));
  return out;
}

/** A value in a storage of the browser. If the browser refuses to store it, it lasts as long as the page. */
function kept(area, key) {
  let here = {};
  return {
    get() {
      try {
        here = JSON.parse(window[area].getItem(key)) ?? here;
      } catch { /* no storage, or not ours */ }
      return here;
    },
    set(patch) {
      here = { ...this.get(), ...patch };
      try {
        window[area].setItem(key, JSON.stringify(here));
      } catch { /* no storage, or a full one */ }
    },
  };
}
