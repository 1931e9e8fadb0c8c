package message

import (
	"encoding/json"
	"fmt"
)

// Cues says what stands around a value in a message and tells what the value is for.
type Cues uint16

// The cues. They are written by name where they leave the process: append, never reorder.
const (
	CueLabel     Cues = 1 << iota // a word of its param's label or name: "quantity 3", "my zip is 73301"
	CueUnit                       // the unit that its param counts: "3 pizzas", "two people"
	CueRole                       // words that announce this param among several of its type: "from Boston"
	CueCorrect                    // a correction before or behind it: actually, instead, make it, sorry, I meant, should be
	CueAdd                        // an addition: "and X too", "also X", "X as well"
	CueNegated                    // denied: "not X", "isn't X", "anything but X"
	CueRemove                     // taken off: "without X", "no X", "except X"
	CueCondition                  // under a condition or a choice: "if X", "unless X", "X or Y"
	CueAsked                      // inside a question: "is X in stock?"
)

var cueNames = []string{"label", "unit", "role", "correct", "add", "negated", "remove", "condition", "asked"}

// Has reports whether all of some are there.
func (c Cues) Has(some Cues) bool { return c&some == some }

// Any reports whether at least one of some is there.
func (c Cues) Any(some Cues) bool { return c&some != 0 }

// Names lists the cues by name.
func (c Cues) Names() []string {
	var out []string
	for i, name := range cueNames {
		if c&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return out
}

// MarshalJSON writes the names.
func (c Cues) MarshalJSON() ([]byte, error) { return json.Marshal(c.Names()) }

// UnmarshalJSON reads the names.
func (c *Cues) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	*c = 0
next:
	for _, n := range names {
		for i, name := range cueNames {
			if n == name {
				*c |= 1 << i
				continue next
			}
		}
		return fmt.Errorf("no cue is called %q", n)
	}
	return nil
}
