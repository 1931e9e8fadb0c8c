package mcpserver_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/planner"
	"github.com/slotway/slotway/router/httpapi/mcpserver"
)

// A client without elicitation is told what is missing, and sends it in another call.
func TestMissingParamsComeBack(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			c := s.connect(w, "ann", nil, nil)
			first := use[mcpserver.Answer](t, c, "order_status", nil)
			if first.Status != "needs_input" || first.Needs == nil || first.Needs.Param != "order_id" || first.Needs.Schema["pattern"] != `^(?:(?:O-)?\d{5})$` {
				t.Fatalf("without the order: %+v, needs %+v", first, first.Needs)
			}
			second := use[mcpserver.Answer](t, c, "order_status", arguments{"order_id": "12345", "conversation_id": first.ConversationID})
			if second.Status != "done" || second.Reply != "O-12345 is shipped." || second.ConversationID != first.ConversationID {
				t.Errorf("with the order: %+v", second)
			}
			if diff := cmp.Diff(arguments{"order_id": "O-12345"}, second.Params); diff != "" {
				t.Errorf("params (-want +got):\n%s", diff)
			}
			other := use[mcpserver.Answer](t, c, "order_status", arguments{"order_id": "O-54321"})
			if other.Status != "done" || other.ConversationID == first.ConversationID {
				t.Errorf("another call: %+v, want a conversation of its own", other)
			}
		})
	}
}

func TestAWriteWaitsForItsYes(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			c := s.connect(w, "ann", nil, nil)
			all := arguments{"order_id": "O-12345", "reason": "late", "count": 2, "gift": true, "notes": []string{"a", "b"}}
			asked := use[mcpserver.Answer](t, c, "cancel_order", all)
			if asked.Status != "needs_input" || asked.Needs == nil || !asked.Needs.Confirmation || asked.Needs.Tool != "cancel" || len(s.done()) != 0 {
				t.Fatalf("%+v, needs %+v, done %v; want a question and nothing done", asked, asked.Needs, s.done())
			}
			said := use[mcpserver.Answer](t, c, "send_message", arguments{"message": "yes", "conversation_id": asked.ConversationID})
			if said.Status != "done" || said.Reply != "O-12345 is cancelled." {
				t.Errorf("after the yes: %+v", said)
			}
			if diff := cmp.Diff([]string{"ann O-12345"}, s.done()); diff != "" {
				t.Errorf("done (-want +got):\n%s", diff)
			}
		})
	}
}

// A client with elicitation is asked within the one call.
func TestQuestionsAreAskedInPlace(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			ann := &person{t: t, answers: []*mcp.ElicitResult{accept("order_id", "O-12345"), accept("reason", "late"), accept("confirm", true)}}
			c := s.connect(w, "ann", ann, nil)
			a := use[mcpserver.Answer](t, c, "cancel_order", nil)
			if a.Status != "done" || a.Reply != "O-12345 is cancelled." {
				t.Errorf("%+v", a)
			}
			if diff := cmp.Diff([]string{"What's your order number?", "Why: damaged, late or changed your mind?", "Cancel O-12345 because it is late?"}, ann.asked); diff != "" {
				t.Errorf("asked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff([]string{"ann O-12345"}, s.done()); diff != "" {
				t.Errorf("done (-want +got):\n%s", diff)
			}
			reason := ann.schemas[1]["properties"].(map[string]any)["reason"].(map[string]any)
			if diff := cmp.Diff([]any{"damaged", "late", "changed my mind"}, reason["enum"]); diff != "" {
				t.Errorf("the form of an enumeration (-want +got):\n%s", diff)
			}
			yes := ann.schemas[2]["properties"].(map[string]any)["confirm"].(map[string]any)
			if yes["type"] != "boolean" {
				t.Errorf("the form of a confirmation: %v", yes)
			}
		})
	}
}

// What a tool has listed is chosen from a list; what can be said besides is told.
func TestAListIsChosenFrom(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			ann := &person{t: t, answers: []*mcp.ElicitResult{accept("parcel", "7002")}}
			if a := use[mcpserver.Answer](t, s.connect(w, "ann", ann, nil), "parcels", nil); a.Status != "done" || a.Reply != "Parcel 7002 is there." || a.Options != nil {
				t.Errorf("%+v", a)
			}
			parcel := ann.schemas[0]["properties"].(map[string]any)["parcel"].(map[string]any)
			if diff := cmp.Diff([]any{[]any{"7001", "7002"}, []any{"7001 in Rome", "7002 in Oslo"}}, []any{parcel["enum"], parcel["enumNames"]}); diff != "" {
				t.Errorf("the form (-want +got):\n%s", diff)
			}
			told := use[mcpserver.Answer](t, s.connect(w, "bob", nil, nil), "parcels", nil)
			want := []planner.Suggestion{{Title: "7001 in Rome", Text: "7001", Param: "parcel"}, {Title: "7002 in Oslo", Text: "7002", Param: "parcel"}}
			if diff := cmp.Diff(want, told.Options); diff != "" || told.Status != "needs_input" {
				t.Errorf("%s, options (-want +got):\n%s", told.Status, diff)
			}
		})
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	no := accept("confirm", false)
	decline, dismiss := &mcp.ElicitResult{Action: "decline"}, &mcp.ElicitResult{Action: "cancel"}
	full := arguments{"order_id": "O-12345", "reason": "late"}
	for name, tc := range map[string]struct {
		args    arguments
		answers []*mcp.ElicitResult
		status  string
		reply   string
		asked   int
	}{
		"a no":                          {full, []*mcp.ElicitResult{no}, "done", "OK, it stays.", 1},
		"a declined confirmation":       {full, []*mcp.ElicitResult{decline}, "done", "OK, it stays.", 1},
		"a dismissed confirmation":      {full, []*mcp.ElicitResult{dismiss}, "needs_input", "", 1},
		"a declined param":              {nil, []*mcp.ElicitResult{decline}, "done", "", 1},
		"a dismissed param":             {nil, []*mcp.ElicitResult{dismiss}, "needs_input", "", 1},
		"a value that cannot be read":   {nil, []*mcp.ElicitResult{accept("order_id", "none of these"), dismiss}, "needs_input", "", 2},
		"a confirmation with no answer": {full, []*mcp.ElicitResult{{Action: "accept", Content: map[string]any{}}}, "needs_input", "", 1},
	} {
		for wayName, w := range ways() {
			t.Run(name+" "+wayName, func(t *testing.T) {
				s := newShop(t, nil)
				ann := &person{t: t, answers: slices.Clone(tc.answers)}
				c := s.connect(w, "ann", ann, nil)
				if name == "a confirmation with no answer" {
					// The SDK's client refuses to send what its form requires.
					if _, err := call(t, c, "cancel_order", tc.args); err == nil && w.protocol > "2026" {
						t.Error("an answer without its field is taken")
					}
					if len(s.done()) != 0 {
						t.Errorf("done %v", s.done())
					}
					return
				}
				a := use[mcpserver.Answer](t, c, "cancel_order", tc.args)
				if a.Status != tc.status || tc.reply != "" && a.Reply != tc.reply || len(ann.asked) != tc.asked || len(s.done()) != 0 {
					t.Errorf("%+v, asked %q, done %v", a, ann.asked, s.done())
				}
				if a.ConversationID == "" || a.Status == "needs_input" && a.Needs == nil {
					t.Errorf("%+v: nothing to go on with", a)
				}
			})
		}
	}
}

// A call asks so many questions and no more; the rest comes back.
func TestRoundsAreBounded(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, &mcpserver.Options{MaxRounds: 1})
			ann := &person{t: t, answers: []*mcp.ElicitResult{accept("order_id", "O-12345"), accept("reason", "late")}}
			a := use[mcpserver.Answer](t, s.connect(w, "ann", ann, nil), "cancel_order", nil)
			if a.Status != "needs_input" || a.Needs.Param != "reason" || len(ann.asked) != 1 {
				t.Errorf("%+v, asked %q", a, ann.asked)
			}
		})
	}
}

func TestOtherOutcomes(t *testing.T) {
	s := newShop(t, nil)
	c := s.connect(way{protocol: protocols[0]}, "ann", nil, nil)
	for tool, want := range map[string]struct{ status, reply string }{
		"hours_today": {"done", "Nine to five."},
		"person":      {"handoff", ""},
	} {
		if a := use[mcpserver.Answer](t, c, tool, nil); a.Status != want.status || want.reply != "" && a.Reply != want.reply {
			t.Errorf("%s: %+v", tool, a)
		}
	}
	result, err := call(t, c, "breaks", nil)
	if err != nil || !result.IsError || result.StructuredContent.(map[string]any)["status"] != "error" {
		t.Errorf("a tool that fails: %+v, %v", result, err)
	}
	gone := use[mcpserver.Answer](t, c, "order_status", arguments{"order_id": "O-99999"})
	if gone.Status != "needs_input" || !strings.HasPrefix(gone.Reply, "There is no O-99999.") {
		t.Errorf("an order that is not there: %+v", gone)
	}
	if a := use[mcpserver.Answer](t, c, "send_message", arguments{"text": "where is my order O-12345"}); a.Reply != "O-12345 is shipped." {
		t.Errorf("a message: %+v", a)
	}
}

func TestArgumentsThatAreRefused(t *testing.T) {
	s := newShop(t, nil)
	c := s.connect(way{protocol: protocols[0]}, "ann", nil, nil)
	const canary = "CANARY 4711"
	for name, tc := range map[string]struct {
		tool string
		args arguments
		key  string
	}{
		"a param that is not there":       {tool: "order_status", args: arguments{"colour": canary}},
		"a param that only tools fill":    {tool: "order_status", args: arguments{"hidden": canary}},
		"a conversation that is none":     {tool: "order_status", args: arguments{"conversation_id": 7}},
		"an empty conversation":           {tool: "order_status", args: arguments{"conversation_id": ""}},
		"a conversation of a long name":   {tool: "send_message", args: arguments{"text": "hi", "conversation_id": strings.Repeat("x", 201)}},
		"no text":                         {tool: "send_message", args: arguments{}},
		"more than text":                  {tool: "send_message", args: arguments{"text": "hi", "secret": canary}},
		"both names of it":                {tool: "send_message", args: arguments{"text": "hi", "message": "hi"}},
		"after a negative turn":           {tool: "send_message", args: arguments{"text": "hi", "conversation_id": "c", "after_turn": -1}},
		"after a turn of no conversation": {tool: "send_message", args: arguments{"text": "hi", "after_turn": 1}},
		"after no number":                 {tool: "send_message", args: arguments{"text": "hi", "conversation_id": "c", "after_turn": canary}},
		"a query of nothing":              {tool: "search_memory", args: arguments{"query": " "}},
		"too many":                        {tool: "list_sessions", args: arguments{"limit": 1000}},
		"a key that is too long":          {tool: "send_message", args: arguments{"text": "hi"}, key: strings.Repeat("k", 200)},
		"a tool that is not there":        {tool: "affirm", args: arguments{}},
	} {
		t.Run(name, func(t *testing.T) {
			var meta []string
			if tc.key != "" {
				meta = []string{tc.key}
			}
			result, err := call(t, c, tc.tool, tc.args, meta...)
			if err == nil {
				t.Fatalf("it is taken: %+v", result)
			}
			if strings.Contains(err.Error(), "4711") {
				t.Errorf("the error says %q", err)
			}
		})
	}
}

// The same request with the same key is made once: in the same conversation, with the same
// answers.
func TestTheSameKeyTwice(t *testing.T) {
	for name, w := range ways() {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, nil)
			yes := []*mcp.ElicitResult{accept("confirm", true), accept("confirm", true)}
			c := s.connect(w, "ann", &person{t: t, answers: yes}, nil)
			args := arguments{"order_id": "O-12345", "reason": "late"}
			first := use[mcpserver.Answer](t, c, "cancel_order", args, "key-1")
			again := use[mcpserver.Answer](t, c, "cancel_order", args, "key-1")
			if diff := cmp.Diff(first, again); diff != "" || len(s.done()) != 1 {
				t.Errorf("done %v (-first +again):\n%s", s.done(), diff)
			}
			a := use[mcpserver.Answer](t, c, "send_message", arguments{"text": "opening hours", "conversation_id": first.ConversationID}, "key-2")
			b := use[mcpserver.Answer](t, c, "send_message", arguments{"text": "opening hours", "conversation_id": first.ConversationID}, "key-2")
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("(-first +again):\n%s", diff)
			}
			list := use[struct{ Sessions []mcpserver.Session }](t, c, "list_sessions", nil).Sessions
			if len(list) != 1 || list[0].Turns != 3 {
				t.Errorf("%+v, want one conversation of three turns", list)
			}
		})
	}
}
