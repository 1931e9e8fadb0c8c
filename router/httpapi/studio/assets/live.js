// Telemetry as it happens.
import { unknown } from './api.js';
import { byId, h, micros, put, time } from './dom.js';
import { stages, tell } from './stages.js';

const kept = 300; // lines
const silence = 45_000; // ms without even a heartbeat, which comes every 15 s
const longest = 30_000; // ms between two attempts

export function mountLive(store, api, happened) {
  let lines = []; // newest first
  let number = 0;
  let lost = 0;
  let paused = false;
  let missed = 0;
  let attempt = 0; // stops an older run
  let connection = null;

  const list = h('ol', { class: 'lines', 'aria-label': 'Telemetry, newest first' });
  const pause = h('button', { type: 'button', class: 'small', 'aria-pressed': 'false', id: 'pause' }, 'Pause');
  const clear = h('button', { type: 'button', class: 'small' }, 'Empty');
  const stage = h('select', { id: 'stage' }, h('option', { value: '' }, 'all'), stages.map((s) => h('option', { value: s }, s)));
  const only = h('input', { type: 'checkbox', id: 'only' });
  const note = h('p', { class: 'hint', role: 'status' });
  put(byId('panel-live'), h('div', { class: 'card' }, h('h2', {}, 'Live telemetry'),
    h('div', { class: 'controls' }, h('label', { for: 'stage' }, 'Stage'), stage, h('label', { class: 'check' }, only, 'this conversation only'), pause, clear), note, list));

  const shown = (l) => (stage.value === '' || l.stage === stage.value) && (!only.checked || l.session_id === store.get().session);

  let drawing = false;
  function draw() {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      if (store.get().tab !== 'live') return;
      const some = lines.filter(shown);
      note.textContent = [
        { off: 'Not connected.', on: '', again: 'The connection was lost; trying again.', none: 'This service offers no live telemetry, or the key may not see it.' }[store.get().link],
        paused && missed > 0 ? `${missed} new since the pause.` : '', lost > 0 ? `${lost} were dropped because they came too fast.` : '',
        some.length === 0 && store.get().link === 'on' ? 'Nothing has happened yet.' : '',
      ].filter(Boolean).join(' ');
      if (paused && missed > 0) return;
      show(some);
    });
  }

  function show(some) {
    const old = new Map([...list.children].map((c) => [c.dataset.n, c]));
    list.replaceChildren(...some.map((l) => old.get(String(l.n)) ?? line(l)));
  }

  function add(event) {
    lines = [{ n: ++number, ...event }, ...lines].slice(0, kept);
    if (paused) missed++;
    draw();
  }

  function take({ event, data }) {
    if (event === '') return;
    const what = JSON.parse(data);
    if (event === 'telemetry') add(what);
    else if (event === 'lost') lost += what.lost;
    else if (event === 'path') happened(what);
  }

  async function run() {
    const mine = ++attempt;
    connection?.abort();
    for (let wait = 1000; mine === attempt;) {
      const stop = new AbortController();
      connection = stop;
      let watch;
      try {
        const alive = () => {
          clearTimeout(watch);
          watch = setTimeout(() => stop.abort(), silence);
        };
        alive();
        const stream = await api.events(stop.signal);
        if (store.get().link === 'again') happened(null);
        store.set({ link: 'on' });
        wait = 1000;
        for await (const e of stream) {
          alive();
          if (mine !== attempt) return;
          take(e);
        }
      } catch (err) {
        if (unknown(err)) return store.set({ link: 'off' });
        if ([403, 404, 501].includes(err.status)) return store.set({ link: 'none' });
        wait = Math.max(wait, (err.retryAfter ?? 0) * 1000);
      } finally {
        clearTimeout(watch);
      }
      if (mine !== attempt) return;
      store.set({ link: 'again' });
      await new Promise((done) => setTimeout(done, wait * (0.75 + Math.random() / 2)));
      wait = Math.min(2 * wait, longest);
    }
  }

  pause.addEventListener('click', () => {
    paused = !paused;
    missed = 0;
    pause.setAttribute('aria-pressed', String(paused));
    pause.textContent = paused ? 'Go on' : 'Pause';
    draw();
  });
  function forget() {
    lines = [];
    lost = missed = 0;
    draw();
  }

  clear.addEventListener('click', forget);
  stage.addEventListener('change', draw);
  only.addEventListener('change', draw);
  store.watch(['tab', 'link', 'session'], (s) => {
    const words = { off: 'offline', on: 'live', again: 'connecting', none: '' }[s.link];
    byId('link').textContent = words;
    byId('link').dataset.link = s.link;
    draw();
  });
  return { connect: run, forget };
}

function line(l) {
  return h('li', { 'data-n': l.n, class: l.level }, h('details', {},
    h('summary', {}, h('time', { class: 'quiet', datetime: l.time }, time(l.time)), h('span', { class: `stage ${l.stage}` }, l.stage),
      h('span', { class: 'tells' }, tell(l)), h('span', { class: 'quiet took' }, micros(l.duration_us))),
    h('pre', { tabindex: 0 }, JSON.stringify(l, (k, v) => (k === 'n' ? undefined : v), 2))));
}
