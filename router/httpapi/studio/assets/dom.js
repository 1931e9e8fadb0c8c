// Building the page. Whatever is shown goes through textContent or an attribute: no text of
// a user or an agent can become markup.

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */

/**
 * An element. A property that is a function is a listener for the event after its "on"; true
 * is an attribute without a value; null, undefined and false leave it out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** The same for SVG. @returns {SVGElement} */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), props, children);
}

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...flat(children));
  return element;
}

function flat(children) {
  return children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : clip(String(c))));
}

const longest = 20_000; // characters that are shown of one text

/** A text as it is shown: what is too long for a page to lay out is cut, and says so. */
export function clip(text) {
  if (text.length <= longest) return text;
  const end = longest - (/[\uD800-\uDBFF]/.test(text[longest - 1]) ? 1 : 0);
  return `${text.slice(0, end)} … (${text.length - end} more characters are not shown here)`;
}

/** @param {string} id @returns {any} the element, which the page has */
export const byId = (id) => document.getElementById(id);

/** Replaces what is in an element. */
export function put(element, ...children) {
  element.replaceChildren(...flat(children));
}

/**
 * Makes the children of parent those of items, in their order, and leaves alone what has not
 * changed: neither focus nor a selection in it is lost.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key unique among the items; says all that is drawn
 * @param {(item: T) => Element} make
 */
export function sync(parent, items, key, make) {
  const old = new Map([...parent.children].map((c) => [c.dataset.key, c]));
  let at = parent.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let element = old.get(name);
    if (element) old.delete(name);
    else {
      element = make(item);
      element.dataset.key = name;
    }
    if (element === at) at = at.nextElementSibling;
    else parent.insertBefore(element, at);
  }
  for (const gone of old.values()) gone.remove();
}

/** Says something to whoever does not see the page. */
export function announce(text) {
  byId('announcer').textContent = clip(text);
}

/**
 * A modal dialog, removed once it is closed. Escape closes it.
 * @param {string} title
 * @param {(close: () => void) => Child[]} body
 */
export function dialog(title, body) {
  const before = document.activeElement;
  const box = h('dialog', { 'aria-labelledby': 'dialog-title' });
  const close = () => box.close();
  box.append(h('h2', { id: 'dialog-title' }, title), ...flat(body(close)));
  box.addEventListener('close', () => {
    box.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const calendar = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** The time of day of an RFC 3339 time; with its day when that is not today. */
export function time(text) {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return '';
  return at.toDateString() === new Date().toDateString() ? clock.format(at) : calendar.format(at);
}

/** A duration given in microseconds. */
export function micros(us) {
  if (!us) return '';
  if (us < 1000) return `${us} µs`;
  return us < 1e6 ? `${(us / 1000).toFixed(us < 1e4 ? 1 : 0)} ms` : `${(us / 1e6).toFixed(1)} s`;
}

/** A JSON value in one line. */
export const inline = (value) => (typeof value === 'string' ? value : JSON.stringify(value));

/** One of something, or several. */
export const count = (n, one, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;
