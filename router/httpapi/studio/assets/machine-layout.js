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
  width: 880, height: 288, half: 52,
  at: {
    idle: [62, 148], received: [198, 148], classified: [340, 148], planned: [482, 148],
    calling: [482, 60], asking: [650, 60], confirming: [650, 134], responding: [650, 212],
    waiting: [812, 98], responded: [812, 212],
  },
  ways: {
    'waiting>received': 'M812 80 C812 20 800 14 744 14 H266 C210 14 198 60 198 130',
    'responded>received': 'M824 230 C824 266 812 274 756 274 H250 C198 274 186 244 186 166',
    'received>responded': 'M212 166 C212 232 228 248 276 248 H742 C782 248 798 244 798 230',
    'received>planned': 'M232 130 C268 94 412 94 448 130',
    'planned>calling': 'M460 130 V78',
    'calling>planned': 'M504 78 V130',
    'planned>asking': 'M534 138 C566 124 572 66 598 62',
    'planned>responding': 'M534 158 C574 166 574 200 598 205',
    'responding>planned': 'M598 221 C528 221 500 202 496 166',
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
    'received>planned': 'M137 104 C104 122 104 192 137 212',
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
