package config

import (
	"fmt"

	"github.com/slotway/slotway/config/source"
)

// lintUndo finds an inverse that must ask for a param that the task it reverses does not have: it
// starts with that task's params.
func (b *builder) lintUndo(in *Intent, n *source.Node) {
	if in.Undo == nil {
		return
	}
	for _, p := range in.Undo.Required {
		if in.Param(p.Name) == nil {
			b.problems.Warn(source.UndoParams, n.Get("undo"), fmt.Sprintf("param %q of %q is none of this intent, so it would be asked for again", p.Name, in.Undo.ID), "give both intents the param, or remove undo")
		}
	}
	shared := false
	for _, p := range in.Undo.AllParams() {
		shared = shared || in.Param(p.Name) != nil
	}
	if !shared && len(in.Undo.Required) == 0 {
		b.problems.Warn(source.UndoParams, n.Get("undo"), fmt.Sprintf("%q shares no param with this intent, so it does not know what to take back", in.Undo.ID), "give both intents the param that says what, or remove undo")
	}
}
