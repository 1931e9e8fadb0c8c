package archive

import (
	"context"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/history"
	"github.com/slotway/slotway/memory/window"
)

// cut splits whole turns into ranges: each has at most as many messages and tokens as the options
// allow, extended to the end of its turn. A turn longer than two ranges is split. rest are the
// messages that do not fill a range yet.
func (o *Options) cut(messages []memory.Message) (ranges [][]memory.Message, rest []memory.Message) {
	from, tokens := 0, 0
	for i := range messages {
		tokens += window.Tokens(&messages[i])
		n := i + 1 - from
		if n < o.RangeMessages && tokens < rangeTokens {
			continue
		}
		inTurn := i+1 < len(messages) && messages[i+1].Turn == messages[i].Turn
		if inTurn && n < 2*o.RangeMessages {
			continue
		}
		ranges = append(ranges, messages[from:i+1])
		from, tokens = i+1, 0
	}
	return ranges, messages[from:]
}

// wholeTurns drops messages above a number, and the rest of a turn that this cuts.
func wholeTurns(messages []memory.Message, upTo int64) []memory.Message {
	n := len(messages)
	for n > 0 && messages[n-1].Seq > upTo {
		n--
	}
	if n < len(messages) {
		for n > 0 && messages[n-1].Turn == messages[n].Turn {
			n--
		}
	}
	return messages[:n]
}

// originals reads the messages after one number up to another, including those that left the
// window. It leaves out retracted ones and counts damaged ones.
func (t *Tier) originals(ctx context.Context, key memory.Key, after, upTo int64) (all []memory.Message, damaged int, err error) {
	for m, err := range history.Messages(ctx, t.store, key, memory.Page{After: after, Inactive: true}) {
		switch {
		case err != nil:
			return nil, 0, err
		case m.Seq > upTo:
			return all, damaged, nil
		case m.Damaged():
			damaged++
		case !m.Retracted:
			all = append(all, *m)
		}
	}
	return all, damaged, nil
}
