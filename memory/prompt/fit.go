package prompt

import (
	"slices"
	"sort"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/window"
)

// Counter counts the tokens of a text.
type Counter func(text string) int

// Most of the budget that each part may take once the pinned instructions and the current message
// are subtracted. The window gets the rest.
const (
	factShare      = 0.10
	narrativeShare = 0.15
	recallShare    = 0.25
	keptShare      = 0.25
)

// perMessage is the number of tokens of a message's frame, as in package window.
const perMessage = 3

// Fit returns a context that, with text as the current message, takes at most budget tokens; 0 is
// no limit. Pinned instructions and text are never cut: they may exceed the budget by themselves,
// and then nothing else is left. Fit keeps the newest facts, the best recalled messages and the
// newest whole turns. count nil: an estimate.
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
	room := func(share float64) int { return int(share * float64(left)) }

	var spent int
	c.Facts, spent = fitFacts(c.Facts, room(factShare), count)
	used := spent
	c.Narrative, spent = fitNarrative(c.Narrative, room(narrativeShare), count)
	used += spent
	c.Recalled, spent = fitRecalled(c.Recalled, room(recallShare), count)
	used += spent
	c.Kept, spent = fitKept(c.Kept, room(keptShare), count)
	used += spent
	c.Recent = fitRecent(c.Recent, left-used, count)
	c.Kept = without(c.Kept, c.Recent)
	return c
}

// fitFacts keeps the newest facts, in their order.
func fitFacts(facts []memory.Fact, room int, count Counter) ([]memory.Fact, int) {
	if len(facts) == 0 {
		return nil, 0
	}
	used := perMessage + count(factsTitle)
	first := len(facts)
	for first > 0 {
		n := count(factLine(&facts[first-1])) + 1
		if used+n > room {
			break
		}
		used += n
		first--
	}
	if first == len(facts) {
		return nil, 0
	}
	return facts[first:], used
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

// fitKept keeps the newest of the important messages.
func fitKept(list []memory.Message, room int, count Counter) ([]memory.Message, int) {
	used, first := 0, len(list)
	for first > 0 {
		n := perMessage + count(list[first-1].Text)
		if used+n > room {
			break
		}
		used += n
		first--
	}
	return slices.Clip(list[first:]), used
}

// without drops the important messages that are in the window too: the tier that adds them cannot
// know how far back the window will reach.
func without(list, recent []memory.Message) []memory.Message {
	return slices.DeleteFunc(slices.Clone(list), func(m memory.Message) bool {
		return slices.ContainsFunc(recent, func(r memory.Message) bool { return r.Seq == m.Seq })
	})
}

// fitRecent keeps the newest whole turns.
func fitRecent(list []memory.Message, room int, count Counter) []memory.Message {
	if room <= 0 {
		return nil
	}
	counted := slices.Clone(list)
	for i := range counted {
		if counted[i].Tokens == 0 {
			counted[i].Tokens = perMessage + count(counted[i].Text)
		}
	}
	kept := window.Fit(counted, window.Limits{MaxTokens: room})
	return list[len(list)-len(kept):]
}
