// Where the states of the machine stand. The machine's own states have places made by hand,
// one set for a wide picture and one for a narrow one; a machine with any other state is
// laid out in layers by its distance from the initial state.

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {number} half half the width of a state
 * @property {Record<string, [number, number]>} at centre of each state
 * @property {Record<string, string>} ways by "from>to": the path where no straight line will do
 */

/** @type {Layout} */
const wide = {
  width: 880, height: 316, half: 52,
  at: {
    idle: [62, 158], received: [198, 158], classified: [340, 158], planned: [482, 158],
    calling: [482, 66], asking: [650, 66], confirming: [650, 142], responding: [650, 228],
    waiting: [812, 104], responded: [812, 228],
  },
  ways: {
    'waiting>received': 'M812 86 C812 8 790 16 740 16 H270 C216 16 198 60 198 140',
    'responded>received': 'M824 246 C824 296 800 300 750 300 H252 C200 300 186 260 186 176',
    'received>responded': 'M212 176 C212 250 230 268 280 268 H740 C780 268 798 264 798 246',
    'planned>calling': 'M460 140 V84',
    'calling>planned': 'M504 84 V140',
    'planned>responding': 'M534 168 C574 180 574 216 598 221',
    'responding>planned': 'M598 237 C528 237 500 212 496 176',
    'planned>asking': 'M534 148 C566 132 572 72 598 68',
  },
};

/** @type {Layout} */
const narrow = {
  width: 360, height: 452, half: 43,
  at: {
    idle: [180, 24], received: [180, 92], classified: [180, 160], planned: [180, 228],
    calling: [58, 228], asking: [70, 318], confirming: [174, 318], responding: [280, 318],
    waiting: [120, 412], responded: [270, 412],
  },
  ways: {
    'waiting>received': 'M77 412 H28 C10 412 8 404 8 384 V120 C8 98 16 92 34 92 H137',
    'responded>received': 'M313 412 H332 C350 412 354 404 354 384 V108 C354 90 346 84 328 84 H223',
    'received>responded': 'M223 100 H316 C334 100 340 108 340 124 V360 C340 382 330 390 306 395',
    'planned>calling': 'M137 217 H101',
    'calling>planned': 'M101 239 H137',
    'planned>responding': 'M198 246 C204 276 228 288 250 300',
    'responding>planned': 'M308 300 C308 258 276 230 223 228',
  },
};

/** @param {import('./api.js').Machine} machine @param {boolean} roomy @returns {Layout} */
export function layout(machine, roomy) {
  const made = roomy ? wide : narrow;
  return statesOf(machine).every((s) => made.at[s]) ? made : layers(machine, roomy);
}

/** All states, the initial one first. */
export function statesOf(machine) {
  return [...new Set([machine.initial, ...machine.transitions.flatMap((t) => [t.from, t.to])])];
}

/** Layers from left to right, or from the top down. @returns {Layout} */
function layers(machine, roomy) {
  const depth = new Map([[machine.initial, 0]]);
  for (const state of depth.keys()) {
    for (const t of machine.transitions) {
      if (t.from === state && !depth.has(t.to)) depth.set(t.to, depth.get(state) + 1);
    }
  }
  for (const s of statesOf(machine)) if (!depth.has(s)) depth.set(s, 0);
  const rows = [];
  for (const [state, d] of depth) (rows[d] ??= []).push(state);
  const [along, across] = roomy ? [150, 64] : [72, 116];
  const most = Math.max(...rows.map((r) => r.length));
  const at = {};
  rows.forEach((row, d) => row.forEach((state, i) => {
    const main = 70 + d * along;
    const side = 60 + (i + (most - row.length) / 2) * across;
    at[state] = roomy ? [main, side] : [side, main];
  }));
  const size = [70 + (rows.length - 1) * along + 70, 60 + (most - 1) * across + 60];
  const [width, height] = roomy ? size : [size[1], size[0]];
  return { width, height, half: 52, at, ways: {} };
}
