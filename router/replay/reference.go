package replay

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/reference"
	"github.com/slotway/slotway/tools"
)

//go:embed reference.yaml
var referenceYAML []byte

// Reference explains the keys of replay files.
var Reference = sync.OnceValue(func() *reference.Area {
	texts := reference.MustTexts("router/replay/reference.yaml", referenceYAML)
	a := &reference.Area{
		Name: "replay", Title: "Conversations as tests",
		Intro: "The keys of a replay file: what a user says, turn by turn, and what is expected of each turn. `slotway test` plays the files, " +
			"`--update` writes the expectations that differ, and `slotway record SESSION` makes a file from a stored session.",
	}
	for _, key := range texts.Keys() {
		e := texts.Fill("replay", "replay.", key)
		facts(e, key)
		a.Entries = append(a.Entries, e)
	}
	return a
})

// facts adds what the parser knows about a key.
func facts(e *reference.Entry, key string) {
	switch key {
	case "turns":
		e.Required, e.Listed = true, true
	case "conversation":
		e.Required = true
	case "tools":
		e.Named, e.Listed = true, true
	case "turns.expect.unheard":
		e.Listed = true
	case "tools.error":
		for _, code := range tools.Codes {
			e.Allowed = append(e.Allowed, reference.Value{Value: string(code)})
		}
	}
	switch key {
	case "turns.restart", "turns.expect.handoff", "turns.expect.replayed", "turns.expect.params_exact":
		e.Type = "true or false"
	case "turns.after":
		e.Type = "duration, such as 90s or 1h30m"
	case "start":
		e.Type = "time, such as 2026-01-05T09:00:00Z"
	}
	if e.Type != "" {
		return
	}
	e.Type = "text"
	for _, f := range forms {
		if key == "turns.expect."+f.key {
			kinds := make([]string, len(f.kinds))
			for i, k := range f.kinds {
				kinds[i] = string(k)
			}
			e.Type = naming.JoinOr(kinds)
		}
	}
}

// knownKeys lists the keys that the parser reads, by the group that they are in.
func knownKeys() map[string][]string {
	expected := make([]string, len(forms))
	for i, f := range forms {
		expected[i] = f.key
	}
	return map[string][]string{
		"": slices.Clone(conversationKeys), "tools": outcomeKeys, "turns": turnKeys, "turns.given": givenKeys,
		"turns.handoff": actionKeys(), "turns.expect": expected, "turns.expect.unheard": unheardKeys,
	}
}
