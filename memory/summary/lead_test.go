package summary

import (
	"strings"
	"testing"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/modelcall"
)

func TestCondenseKeepsWhatIsSaid(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Yeah, thanks, Mel, my appointment moved to Friday.", "my appointment moved to Friday."},
		{"Well, you know, I sold the boat.", "I sold the boat."},
		{"I really love that totally broken kayak.", "I love that broken kayak."},
		{"It was not really broken.", "It was not really broken."},
		{"He didn't just leave the keys.", "He didn't just leave the keys."},
		{"In May, my boat sank.", "In May, my boat sank."},
		{"Never, my boat is mine.", "Never, my boat is mine."},
		{"Yeah, Boston, Denver and Austin are booked.", "Boston, Denver and Austin are booked."},
		{"Mel, I paid the bill.", "I paid the bill."},
		{"Boston, Denver and Austin are booked.", "Boston, Denver and Austin are booked."},
		{"No problem, order O-12345 was cancelled.", "No problem, order O-12345 was cancelled."},
		{"She moved, really.", "She moved, really."},
	} {
		if got := strings.Join(condense(c.text), " "); got != c.want {
			t.Errorf("condense(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

// A summary says which words a person of the service said in the agent's place.
func TestASummaryNamesThePerson(t *testing.T) {
	list := []memory.Message{
		{Seq: 1, Role: memory.User, Text: "The heating in room 204 does not work."},
		{Seq: 2, Role: memory.Agent, Text: "I will send somebody to room 204 at 18:00.", Metadata: memory.SaidBy("Ann", nil)},
		{Seq: 3, Role: memory.Agent, Text: "Is there anything else?"},
	}
	var told strings.Builder
	for _, p := range pieces(list, newLexicon()) {
		told.WriteString(p.Line() + "\n")
	}
	for _, text := range []string{told.String(), modelcall.Transcript(list, spoken)} {
		for _, want := range []string{"user: The heating", "Ann (a person): I will send", "agent: Is there"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q is not in\n%s", want, text)
			}
		}
	}
}
