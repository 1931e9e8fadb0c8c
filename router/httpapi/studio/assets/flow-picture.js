// A flow as a picture. The service says where everything stands.
import { svg } from './dom.js';

/**
 * @param {any} flow as GET /v1/agent/flow answers
 * @param {{nodes: Map<string, string>, edges: Set<any>}} lit
 */
export function picture(flow, lit) {
  const edges = flow.edges.map((e) => svg('path', {
    class: `edge ${e.way}${e.back ? ' back' : ''}${lit.edges.has(e) ? ' taken' : ''}`, d: e.path, 'marker-end': `url(#${lit.edges.has(e) ? 'flow-tip-taken' : 'flow-tip'})`,
  }));
  const top = flow.edges.map((e, i) => (lit.edges.has(e) ? edges[i] : null));
  return svg('svg', {
    class: 'flow', viewBox: `0 0 ${flow.width} ${flow.height}`, width: flow.width, height: flow.height, role: 'img', 'aria-label': `Flow of ${flow.intent}`,
  },
  svg('desc', {}, flow.description),
  svg('defs', {}, tip('flow-tip', ''), tip('flow-tip-taken', 'taken')),
  edges.filter((e, i) => !top[i]), top,
  flow.nodes.map((n) => node(n, lit.nodes.get(n.id))),
  flow.edges.filter((e) => e.place).map(label));
}

const tip = (id, kind) => svg('marker', { id, viewBox: '0 0 8 8', refX: 7.2, refY: 4, markerUnits: 'userSpaceOnUse', markerWidth: 9, markerHeight: 9, orient: 'auto' },
  svg('path', { class: `flow-tip ${kind}`, d: 'M0 .6 8 4 0 7.4Z' }));

function node(n, mark) {
  const { x, y, width } = n.place;
  return svg('g', { class: `node ${n.shape}${n.ends ? ' ends' : ''}${mark ? ` is-${mark}` : ''}`, transform: `translate(${x} ${y})`, 'data-node': n.id, 'data-step': n.step || null, 'data-param': n.param || null, 'data-mark': mark },
    n.title && svg('title', {}, n.title),
    n.strokes.map((s) => svg('path', { class: s.part, d: s.path })),
    n.lines.map((l) => svg('text', { class: l.part, x: width / 2, y: l.y }, l.text)));
}

function label(e) {
  const { x, y, width, height } = e.place;
  return svg('g', { class: `label ${e.way}` },
    svg('rect', { x, y, width, height, rx: 4 }), svg('text', { x: x + width / 2, y: y + height / 2 + 4.1 }, e.label));
}
