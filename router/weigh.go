package router

import (
	"reflect"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/memory"
)

// The importance that a turn gives to its messages.
const (
	important = 2 // a confirmation, a decision, a correction
	telling   = 1 // a fact: a value was taken
)

// maxWeighed is the longest message, in bytes, whose words count. A longer one counts by what it did.
const maxWeighed = 8 << 10

// weigh gives the person's message and the reply their importance, the greatest of what the
// sender said, what the words say (Options.Importance) and what the turn did: settle a
// confirmation, correct a value, take one, or change something by a tool.
func (t *turn) weigh(reply *memory.Message) {
	said := memory.Message{Role: memory.User, Text: t.in.Text, Importance: t.in.Importance}
	importance := max(t.byWords(&said), t.byParams())
	if _, open := t.plan.Confirming(); t.confirming && !open {
		importance = max(importance, important)
	}
	t.session.RaiseImportance(t.messageSeq, importance)
	reply.Importance = t.byWords(reply)
	for _, c := range t.reply.ToolCalls {
		if def := t.def().Tools[c.Tool]; def != nil && def.Effect == config.EffectWrite {
			reply.Importance = max(reply.Importance, important)
		}
	}
}

func (t *turn) byWords(m *memory.Message) int {
	if t.r.opts.Importance == nil || len(m.Text) > maxWeighed {
		return m.Importance
	}
	return t.r.opts.Importance(m)
}

// byParams rates the change of the params: a changed param is a correction, a new one a fact.
func (t *turn) byParams() int {
	same, importance := 0, 0
	t.session.EachParam(func(name string, old any) {
		value, known := t.reply.Params[name]
		switch {
		case known && !reflect.DeepEqual(old, value):
			importance = important
		case known:
			same++
		}
	})
	if importance == 0 && len(t.reply.Params) > same {
		importance = telling
	}
	return importance
}
