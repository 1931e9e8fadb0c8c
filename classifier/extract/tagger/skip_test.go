package tagger

import (
	"fmt"
	"testing"
)

// crossed are messages in which neither the word nor what it is compared with tells the
// param: both together do, and what stands between is new each time.
func crossed(from, n int, form func(cue, number, fresh int) Example) (examples []Example) {
	for i := from; i < from+n; i++ {
		examples = append(examples, form(i%2, i/2%2, i))
	}
	return examples
}

// wrong counts the messages in which m finds anything but what is marked.
func wrong(m *Model, examples []Example) (n int) {
	for i := range examples {
		got := bare(m.Tag(examples[i].Sentence, nil))
		if len(got) != 1 || got[0] != examples[i].Spans[0] {
			n++
		}
	}
	return n
}

func seatsOrHour(cue, number int) string {
	return []string{"seats", "hour"}[cue^number]
}

func TestLearnsAcrossUnseenWord(t *testing.T) {
	form := func(cue, number, fresh int) Example {
		cues, numbers := []string{"book", "call"}, []string{"five", "nine"}
		return marked(fmt.Sprintf("%s w%[2]cx%[2]cy [%s](%s)", cues[cue], 0x4e00+fresh, numbers[number], seatsOrHour(cue, number)), "hour", "seats")
	}
	m := Train(crossed(0, 400, form), nil)
	if n := wrong(m, crossed(4000, 100, form)); n > 5 {
		t.Errorf("%d of 100 messages read wrongly, want at most 5", n)
	}
}
