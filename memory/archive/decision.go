package archive

import (
	"slices"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/memory"
)

const maxDecisions, maxQuestions = 8, 6

var (
	// decides matches words that settle something.
	decides = pattern.Must(`(?i)\b(?:i['’]?ll (?:take|go (?:with|for|ahead)|have|keep)|i will (?:take|go (?:with|for|ahead)|have|keep)|i['’]?d like to go (?:with|for)|` +
		`let['’]?s (?:go|do|take|keep|cancel|order|book|use|meet)|we['’]?ll (?:go (?:with|for|ahead)|take|use|keep)|we will (?:go (?:with|for|ahead)|take|use|keep)|` +
		`(?:have |has |['’]ve |we |i |both |all )agreed|i agree|(?:have |has |['’]ve |['’]s |we |i |been )decided|(?:have |has |['’]ve |we |i )(?:chosen|chose|settled on)|` +
		`i (?:choose|accept|approve|confirm)|go ahead|please (?:cancel|refund|book|order|return|proceed|close)|cancel (?:it|that|this|my|the|order)|i (?:want|would like|need) to (?:cancel|return|close)|` +
		`(?:has|have|is|are|was|were|been) (?:now )?(?:been )?(?:cancell?ed|refunded|approved|rejected|confirmed|booked|scheduled|issued|placed|accepted|declined))\b`)

	// undecided matches words that leave it unsettled.
	undecided = pattern.Must(`(?i)\b(?:haven['’]?t|hasn['’]?t|have not|has not|didn['’]?t|did not|not yet|undecided|if (?:i|we|you|it)|whether|unless|could|might|wait(?:ing)? (?:for|until|to be))\b`)

	// offers matches questions that a yes or no settles.
	offers = pattern.Must(`(?i)\b(?:shall (?:i|we)|should (?:i|we)|do you want me to|would you like (?:me )?to|may i|can i go ahead|is (?:that|this) (?:right|correct|ok|okay)|are you sure|do you (?:confirm|accept|agree)|confirm|proceed)\b`)

	affirms = pattern.Must(`(?i)^(?:yes|yep|yeah|yup|sure|ok|okay|please do|do it|go ahead|correct|right|of course|absolutely|definitely|sounds good|that['’]?s (?:right|fine|correct))\b`)
	refuses = pattern.Must(`(?i)^(?:no|nope|nah|please don['’]?t|don['’]?t|do not|rather not)\b`)
)

// decided reports whether a sentence settles something.
func decided(s *sentence) bool {
	return !s.asks && decides.MatchString(s.text) && !undecided.MatchString(s.text)
}

// decisions returns the sentences that settle something, and the agent's offers with the user's
// answers, in order.
func decisions(said []sentence) []string {
	var out []string
	add := func(text string) {
		if text = shorten(text, maxTold); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	for i := range said {
		s := &said[i]
		switch {
		case decided(s):
			add(s.text)
		case s.asks && s.role == memory.Agent && offers.MatchString(s.text):
			if answer := confirmation(said, i); answer != "" {
				add(s.text + " " + answer)
			}
		}
	}
	return newest(out, maxDecisions)
}

// confirmation returns the user's immediate answer to an offer: "Yes.", "No.", or "" for neither.
func confirmation(said []sentence, i int) string {
	for j := i + 1; j < len(said); j++ {
		if said[j].role == said[i].role {
			if said[j].message == said[i].message {
				continue
			}
			return ""
		}
		switch text := said[j].text; {
		case affirms.MatchString(text):
			return "Yes."
		case refuses.MatchString(text):
			return "No."
		}
		return ""
	}
	return ""
}

// newest returns the last n entries: the latest decision holds.
func newest(list []string, n int) []string { return list[max(0, len(list)-n):] }
