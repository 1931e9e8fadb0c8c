package replay

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/router"
)

// What people did is recorded, and read again as it was.
func TestRecordHandOver(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
	ann := &router.Person{By: "Ann", Since: at, Turn: 2}
	var turns []memory.Turn
	for i, reply := range []router.Reply{
		{Reply: "Sure?"},
		{Action: router.ActionTake, Person: ann, Handoff: true},
		{Person: ann, Handoff: true},
		{Action: router.ActionAnswer, Person: ann, Handoff: true, Reply: "One: moment."},
		{Action: router.ActionGiveBack, Reply: "Sure?"},
		{Action: router.ActionTake, Handoff: true, Person: &router.Person{}},
	} {
		data, err := json.Marshal(reply)
		if err != nil {
			t.Fatal(err)
		}
		turns = append(turns, memory.Turn{Number: int64(i + 1), At: at.Add(time.Duration(i) * time.Minute), Response: data, Undone: i == 5})
	}
	messages := []memory.Message{
		{Seq: 1, Turn: 1, Role: memory.User, Text: "cancel it", Timestamp: at},
		{Seq: 2, Turn: 1, Role: memory.Agent, Text: "Sure?", Timestamp: at},
		{Seq: 3, Turn: 3, Role: memory.User, Text: "yes", Timestamp: at.Add(2 * time.Minute)},
		{Seq: 4, Turn: 4, Role: memory.Agent, Text: "One: moment.", Timestamp: at.Add(3 * time.Minute), Metadata: memory.SaidBy("Ann", nil)},
		{Seq: 5, Turn: 5, Role: memory.Agent, Text: "Sure?", Timestamp: at.Add(4 * time.Minute)},
	}
	text, err := FromHistory(Heading{}, messages, turns)
	if err != nil {
		t.Fatal(err)
	}
	conversations, err := Parse("recorded.yaml", text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	want := []Turn{
		{User: "cancel it"},
		{Person: &router.HandOver{Action: router.ActionTake, By: "Ann"}, After: time.Minute},
		{User: "yes", After: time.Minute},
		{User: "One: moment.", Person: &router.HandOver{Action: router.ActionAnswer}, After: time.Minute},
		{Person: &router.HandOver{Action: router.ActionGiveBack, By: "Ann"}, After: time.Minute},
	}
	if diff := cmp.Diff(want, conversations[0].Turns, cmpopts.IgnoreFields(Turn{}, "Line", "ID", "Expect")); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, text)
	}
}

func TestParseHandOverRefuses(t *testing.T) {
	for turn, want := range map[string]string{
		`{handoff: {take: Ann}, user: hello}`:        "the user says nothing",
		`{handoff: {take: Ann}, given: {intent: a}}`: "the user says nothing",
		`{handoff: {take: Ann, answer: hello}}`:      "one action",
		`{handoff: take}`:                            "one action",
		`{handoff: {leave: Ann}}`:                    "leave",
		`{handoff: {take: [Ann]}}`:                   "not text",
		`{user: hello, expect: {person: [Ann]}}`:     "person",
		`{expect: {person: Ann}}`:                    "user is missing",
	} {
		_, err := Parse("f.yaml", []byte("conversation: c\nturns:\n  - "+turn+"\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", turn, err, want)
		}
	}
}
