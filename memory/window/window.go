package window

import "github.com/slotway/slotway/memory"

// Limits of a window; the zero value of a field does not limit.
type Limits struct {
	MaxTurns  int // the newest turns
	MaxTokens int // their messages together
}

// Fit returns the newest messages that keep to the limits, as a tail of list; it is not
// copied. Only whole turns are kept. When list begins within a turn (a store cut it by
// count), the replies of tools whose call is missing are left out.
//
// A single turn that is over the token limit by itself gives an empty window: half of an
// exchange would mislead more than none.
func Fit(list []memory.Message, limits Limits) []memory.Message {
	list = list[orphans(list):]
	start, turns, tokens := len(list), 0, 0
	for end := len(list); end > 0; {
		begin := turnBegin(list, end)
		for i := begin; i < end; i++ {
			tokens += Tokens(&list[i])
		}
		turns++
		if (limits.MaxTurns > 0 && turns > limits.MaxTurns) || (limits.MaxTokens > 0 && tokens > limits.MaxTokens) {
			break
		}
		start, end = begin, begin
	}
	return list[start:]
}

// turnBegin is the index of the first message of the turn that ends before end.
func turnBegin(list []memory.Message, end int) int {
	begin := end - 1
	for begin > 0 && list[begin-1].Turn == list[end-1].Turn {
		begin--
	}
	return begin
}

// orphans counts the tool replies at the beginning of list. Their call was a message
// before them: a reply that comes first has lost it.
func orphans(list []memory.Message) int {
	n := 0
	for n < len(list) && list[n].Role == memory.Tool {
		n++
	}
	return n
}
