package mcpserver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// elsewhere says something in a conversation as another client of the same user would.
func (s *shop) elsewhere(conversation string, texts ...string) {
	s.t.Helper()
	for _, text := range texts {
		in := router.Interaction{Text: text, Context: router.Context{SessionID: conversation, UserID: "ann"}}
		if _, err := s.router.Handle(s.t.Context(), in); err != nil {
			s.t.Fatal(err)
		}
	}
}

func wantMovedOn(t *testing.T, a mcpserver.Answer, conversation string, turn int64) {
	t.Helper()
	if a.Status != "error" || a.Error != "moved_on" || a.Turn != turn || a.ConversationID != conversation || a.Needs != nil {
		t.Errorf("%+v, want moved_on at turn %d", a, turn)
	}
}

func TestALateYes(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			c := s.connect(w, "ann", nil, nil)
			asked := use[mcpserver.Answer](t, c, "cancel_order", arguments{"order_id": "O-12345", "reason": "late"})
			s.elsewhere(asked.ConversationID, "no", "cancel my order O-54321", "damaged")
			yes := arguments{"message": "yes", "conversation_id": asked.ConversationID, "after_turn": asked.Turn}
			late, err := call(t, c, "send_message", yes)
			if err != nil || !late.IsError {
				t.Fatalf("the late yes: %+v, %v", late, err)
			}
			moved := use[mcpserver.Answer](t, c, "send_message", yes)
			wantMovedOn(t, moved, asked.ConversationID, 4)
			if len(s.done()) != 0 {
				t.Fatalf("done %v by a yes to another question", s.done())
			}
			yes["after_turn"] = moved.Turn
			if got := use[mcpserver.Answer](t, c, "send_message", yes); got.Status != "done" || got.Turn != 5 {
				t.Errorf("with the newest question seen: %+v", got)
			}
			if diff := cmp.Diff([]string{"ann O-54321"}, s.done()); diff != "" {
				t.Errorf("done (-want +got):\n%s", diff)
			}
		})
	}
}

// The form on the screen asks about one order; when its yes comes, the conversation is about
// another.
func TestALateYesInAForm(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			ann := &person{t: t, answers: []*mcp.ElicitResult{accept("confirm", true)}}
			ann.asking = func() { s.elsewhere("c1", "no", "cancel my order O-54321", "damaged") }
			c := s.connect(w, "ann", ann, nil)
			a := use[mcpserver.Answer](t, c, "cancel_order", arguments{"order_id": "O-12345", "reason": "late", "conversation_id": "c1"})
			wantMovedOn(t, a, "c1", 4)
			if len(s.done()) != 0 || len(ann.asked) != 1 {
				t.Errorf("done %v, asked %q", s.done(), ann.asked)
			}
		})
	}
}
