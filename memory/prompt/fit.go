package prompt

import (
	"context"
	"slices"
	"sort"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// Counter counts the tokens of a text.
type Counter func(text string) int

// perMessage is the number of tokens of a message's frame, as in package window.
const perMessage = 3

// Assemble asks the tiers what is told of the past, and fits it. A turn and everything that shows what
// a turn would be told use it, so that they agree.
func Assemble(ctx context.Context, tiers []memory.Tier, req memory.Request, count Counter) (memory.Context, error) {
	known, err := memory.Assemble(ctx, tiers, req)
	return Fit(known, req.Text, req.Budget, count), err
}

// Fit returns a context that, with text as the current message, takes at most budget tokens; 0 is
// no limit. Pinned instructions and text are never cut: they may exceed the budget by themselves,
// and then nothing else is left. Fit keeps the newest facts, the best recalled messages and the
// newest whole turns. count nil: an estimate.
//
// Facts, narrative, recalled and important messages come first, in this order. Each may take half of
// what is left, the last two a quarter of the whole at most. The window gets the rest, its oldest
// turns go first, and what it leaves the others may have.
func Fit(c memory.Context, text string, budget int, count Counter) memory.Context {
	if budget <= 0 {
		return c
	}
	if count == nil {
		count = window.Estimate
	}
	left := budget - perMessage - count(text)
	for _, m := range c.System {
		left -= perMessage + count(m.Text)
	}
	left = max(left, 0)
	title := func(text string) int { return perMessage + count(text) }
	fact := func(f *memory.Fact) int { return count(factLine(f)) + 1 }
	important := func(m *memory.Message) int { return perMessage + count(m.Text) }
	out, rest := c, left
	parts := [...]func(room int) (spent int){
		func(room int) (n int) { out.Facts, n = newest(c.Facts, title(factsTitle), room, fact); return n },
		func(room int) (n int) { out.Narrative, n = fitNarrative(c.Narrative, room, count); return n },
		func(room int) (n int) { out.Recalled, n = fitRecalled(c.Recalled, room, count); return n },
		func(room int) (n int) { out.Kept, n = newest(c.Kept, 0, room, important); return n },
	}
	var spent [len(parts)]int
	for i, fit := range parts {
		room := rest / 2
		if i >= 2 {
			room = min(room, left/4)
		}
		spent[i] = fit(room)
		rest -= spent[i]
	}
	var verbatim int
	out.Recent, verbatim = fitRecent(c.Recent, rest, count)
	rest -= verbatim
	for i, fit := range parts {
		rest += spent[i]
		rest -= fit(rest)
	}
	out.Kept = without(out.Kept, out.Recent)
	return out
}

// newest returns the newest of a list that fit beside a title, and what they take with it.
func newest[T any](list []T, title, room int, cost func(*T) int) ([]T, int) {
	first := len(list)
	for used := title; first > 0; first-- {
		if used += cost(&list[first-1]); used > room {
			break
		}
		title = used
	}
	if first == len(list) {
		return nil, 0
	}
	return list[first:], title
}

// fitNarrative cuts at the end of a sentence. The newest sentences are at the end, so it drops the
// first ones.
func fitNarrative(text string, room int, count Counter) (string, int) {
	var rests []string // the text without the first sentences
	for rest := text; rest != ""; rest = afterSentence(rest) {
		rests = append(rests, rest)
	}
	// Shorter texts take fewer tokens, so that a binary search counts only some of the rests.
	title := perMessage + count(narrativeTitle)
	at := sort.Search(len(rests), func(i int) bool { return title+count(rests[i]) <= room })
	if at == len(rests) {
		return "", 0
	}
	return rests[at], title + count(rests[at])
}

// fitRecalled keeps the best that fit; the list is sorted, best first.
func fitRecalled(list []memory.Recalled, room int, count Counter) ([]memory.Recalled, int) {
	var kept []memory.Recalled
	used := perMessage + count(recalledTitle)
	for _, r := range list {
		n := count(quote(&r)) + 1
		if used+n > room {
			continue
		}
		used += n
		kept = append(kept, r)
	}
	if len(kept) == 0 {
		return nil, 0
	}
	return kept, used
}

// without drops the important messages that are in the window too: the tier that adds them cannot
// know how far back the window will reach.
func without(list, recent []memory.Message) []memory.Message {
	return slices.DeleteFunc(slices.Clone(list), func(m memory.Message) bool {
		return slices.ContainsFunc(recent, func(r memory.Message) bool { return r.Seq == m.Seq })
	})
}

// fitRecent keeps the newest whole turns.
func fitRecent(list []memory.Message, room int, count Counter) (kept []memory.Message, spent int) {
	if room <= 0 {
		return nil, 0
	}
	counted := slices.Clone(list)
	for i := range counted {
		if counted[i].Tokens == 0 {
			counted[i].Tokens = perMessage + count(counted[i].Text)
		}
	}
	fitting := window.Fit(counted, window.Limits{MaxTokens: room})
	for i := range fitting {
		spent += window.Tokens(&fitting[i])
	}
	return list[len(list)-len(fitting):], spent
}
