package main

import (
	"cmp"
	"hash/fnv"

	"github.com/slotway/slotway/classifier/acts"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/classifier/message/clauses"
	"github.com/slotway/slotway/config/language"
	"github.com/slotway/slotway/scripts/lab/turnset"
)

// question is what is open when a message comes.
type question struct {
	kind    string // of turnset
	text    string
	typed   string // type of the param that is asked for
	write   bool
	options []string
}

// commands are what a message may say, and last of all a yes to a confirmation with nothing beside it.
var commands = [...]string{
	"yes", "no", "hold", "stop", "human", "help", "repeat", "undo", "resume", "courtesy", "out_of_scope", "unclear",
	"start", "set", "add", "remove", "correct", "choose", "ask", "plain_yes",
}

const (
	numCommands = len(commands)
	yes         = 0
	courtesy    = 9
	plainYes    = numCommands - 1
)

// sample is a message in answer to a question.
type sample struct {
	question  question
	text      string
	trade     string
	want      [numCommands]bool
	elsewhere bool // it was said to another question: only that it is no plain yes is known
	held      bool // not learned from, but measured
	left      bool // neither
	features  []int32
	hashes    []uint64
}

// corpus holds all samples.
type corpus struct {
	all  []*sample
	talk map[string]bool // words of no trade
}

// readTurns reads files of turns.
func readTurns(paths []string) (*corpus, error) {
	c := &corpus{}
	for _, path := range paths {
		file, err := turnset.Read(path)
		if err != nil {
			return nil, err
		}
		confirmations := map[string][]question{}
		for _, t := range file.Turns {
			if q := questionOf(t); q.kind == turnset.AskConfirm {
				confirmations[t.Agent] = append(confirmations[t.Agent], q)
			}
		}
		for i, t := range file.Turns {
			c.add(t, confirmations[t.Agent], i)
		}
	}
	return c, nil
}

func questionOf(t *turnset.Turn) question {
	q := question{kind: t.State.OpenKind()}
	if open := t.State.Open; open != nil {
		q.text, q.write, q.options = open.Text, open.Write, open.Options
		if p := t.Sketch.Param(open.Param); p != nil {
			q.typed = cmp.Or(p.Type.Name, "enum")
		}
	}
	return q
}

// add adds a turn, and what was said to another question as the answer to two confirmations of the same
// trade: almost nothing of it is a yes to them.
func (c *corpus) add(t *turnset.Turn, confirmations []question, n int) {
	s := &sample{question: questionOf(t), text: t.Message, trade: t.Agent}
	confirms := s.question.kind == turnset.AskConfirm
	plain := confirms
	for _, command := range t.Commands {
		plain = plain && (command.Do == turnset.Yes || command.Do == turnset.Courtesy)
		for i, name := range commands {
			s.want[i] = s.want[i] || name == command.Do
		}
	}
	s.want[plainYes] = plain && s.want[yes]
	c.all = append(c.all, s)
	if confirms || len(confirmations) == 0 || len(t.Commands) == 0 || s.mayAgree(t) {
		return
	}
	for i := range 2 {
		at := (2*n + i) * 7919 % len(confirmations)
		c.all = append(c.all, &sample{question: confirmations[at], text: t.Message, trade: t.Agent, elsewhere: true})
	}
}

// mayAgree reports whether what was said could be a yes to another question as well.
func (s *sample) mayAgree(t *turnset.Turn) bool {
	for _, command := range t.Commands {
		switch command.Do {
		case turnset.Yes, turnset.Choose, turnset.Resume, turnset.Undo:
			return true
		}
	}
	return s.question.typed == "boolean"
}

// hold holds out a fifth of the trades, and leaves out all but a share of the others. Both go by the
// trades' names.
func (c *corpus) hold(fifth int, share float64) {
	for _, s := range c.all {
		h := fnv.New32a()
		h.Write([]byte(s.trade))
		s.held = int(h.Sum32()%5) == fifth
		s.left = !s.held && float64(h.Sum32()>>8%1000) >= 1000*share
	}
}

// tradesOfTalk is in how many trades a word is said that belongs to none.
const tradesOfTalk = 5

// findTalk finds the words of no trade.
func (c *corpus) findTalk() {
	trades := map[string]map[string]bool{}
	for _, s := range c.all {
		if s.held || s.left || s.elsewhere {
			continue
		}
		for _, w := range wordsOf(message.Normal(s.text)) {
			if trades[w] == nil {
				trades[w] = map[string]bool{}
			}
			trades[w][s.trade] = true
		}
	}
	c.talk = map[string]bool{}
	for w, of := range trades {
		c.talk[w] = len(of) >= tradesOfTalk
	}
}

// leastUses is how many samples a feature must occur in.
const leastUses = 3

// number gives the features that several samples have a number, and returns how many there are.
func (c *corpus) number() int {
	c.findTalk()
	speaks := acts.In(language.English)
	uses := map[uint64]int{}
	for _, s := range c.all {
		text := message.Normal(s.text)
		var said []message.Clause
		for _, span := range clauses.Append(nil, text, message.Tokenize(text, nil), nil) {
			said = append(said, message.Clause{Acts: speaks.Of(span.Whole, span.Mark)})
		}
		var f features
		f.read(&s.question, text, said, c.talk)
		s.hashes = f.into
		if !s.held && !s.left {
			for _, h := range s.hashes {
				uses[h]++
			}
		}
	}
	numbers := map[uint64]int32{}
	for _, s := range c.all {
		for _, h := range s.hashes {
			if uses[h] < leastUses {
				continue
			}
			n, ok := numbers[h]
			if !ok {
				n = int32(len(numbers))
				numbers[h] = n
			}
			s.features = append(s.features, n)
		}
		s.hashes = nil
	}
	return len(numbers)
}
