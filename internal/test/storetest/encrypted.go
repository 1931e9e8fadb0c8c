package storetest

import (
	"encoding/base64"
	"strings"

	"github.com/slotway/slotway/memory"
)

// textsLikeSeals: whatever somebody says, it comes back as it was said, and the session goes on.
// Encryption marks ciphertext; no text that a person types is taken for it.
func textsLikeSeals(s *suite) {
	seal := base64.RawStdEncoding.EncodeToString(make([]byte, 40))
	texts := []string{
		"\x1aslotway1:", "\x1aslotway1:hello", "\x1aslotway1:01234567:" + seal, "\x1aslotway1:2.01234567:" + seal,
		"\x1aslotway0:", "\x1aslotway0:\x1aslotway1:01234567:" + seal, "\x1aslotway", "\x1a", "$sealed",
	}
	var said []string
	for range texts {
		snap := s.load(ada, memory.LoadOptions{})
		d := turn(snap)
		d.Messages[0].Text, d.Messages[1].Text = texts[snap.Turns], texts[len(texts)-1-int(snap.Turns)]
		said = append(said, d.Messages[0].Text, d.Messages[1].Text)
		d.State.Params["said"] = d.Messages[0].Text
		s.commit(d)
	}
	check := func(what string, store memory.Backend) {
		s.Helper()
		snap, err := store.Load(s.Context(), ada, memory.LoadOptions{Recent: 100, Fresh: true})
		if err != nil {
			s.Fatalf("%s: Load: %v", what, err)
		}
		list, err := store.Messages(s.Context(), ada, memory.Page{})
		if err != nil {
			s.Fatalf("%s: Messages: %v", what, err)
		}
		s.same(what+": Messages", said, textsOf(list))
		s.same(what+": Load", said, textsOf(snap.Recent))
	}
	check("as committed", s.Backend)
	other := opened(s.T, s.open)
	if n, err := other.Import(s.Context(), strings.NewReader(s.export(s.Backend, ada))); n != 1 || err != nil {
		s.Fatalf("Import = %d, %v", n, err)
	}
	check("as imported", other)
}

func textsOf(list []memory.Message) []string {
	var out []string
	for _, m := range list {
		out = append(out, m.Text)
	}
	return out
}
