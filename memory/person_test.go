package memory

import (
	"maps"
	"testing"
)

func TestPersonOfAMessage(t *testing.T) {
	tags := Tagged([]string{"late"})
	kept := maps.Clone(tags)
	for _, c := range []struct {
		metadata map[string]string
		by       string
		person   bool
		speaker  string
	}{
		{nil, "", false, "agent"},
		{tags, "", false, "agent"},
		{SaidBy("Ann", tags), "Ann", true, "Ann (a person)"},
		{SaidBy("", nil), "", true, "a person"},
	} {
		m := Message{Role: Agent, Metadata: c.metadata}
		if by, person := m.Person(); by != c.by || person != c.person || m.Speaker() != c.speaker {
			t.Errorf("%v: %q, %v, %q", c.metadata, by, person, m.Speaker())
		}
	}
	if m := (Message{Metadata: SaidBy("Ann", tags)}); !maps.Equal(tags, kept) || len(m.Tags()) != 1 {
		t.Errorf("%v and %v", tags, m.Metadata)
	}
}
