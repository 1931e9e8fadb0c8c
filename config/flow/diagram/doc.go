// Package diagram draws a directed graph: as Mermaid, as DOT, and as SVG with a layout of its own.
//
// [Lay] gives every node, edge and label of a [Diagram] a place. The layout is in layers, from the
// top down: no two boxes or labels overlap, and an edge that leads back to an earlier layer is
// marked. [Mermaid], [DOT] and [SVG] write diagrams.
package diagram
