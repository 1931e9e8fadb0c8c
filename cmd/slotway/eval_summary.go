package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/summary"
)

// summaryFigures are the results. A turn is kept if the summary has at least half of its words that are
// neither stop words nor small talk.
type summaryFigures struct {
	EvidenceKept  float64 `json:"evidence_kept"`    // share of the turns that answer a question, each counted once
	PerQuestion   float64 `json:"kept_by_question"` // the mean over questions of the share of their turns
	TurnsKept     float64 `json:"turns_kept"`       // share of all turns
	WordsKept     float64 `json:"words_kept"`       // share of all words
	Evidence      int     `json:"evidence"`
	Questions     int     `json:"questions"`
	Conversations int     `json:"conversations"`
	PerMessage    float64 `json:"us_per_message"`
}

func newEvalSummary(*flags) *cobra.Command {
	var turns, questions string
	var keep float64
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "summary --turns FILE --questions FILE",
		Example: "  slotway eval summary --turns turns.jsonl --questions questions.jsonl --keep 0.3",
		Short:   "Measure how many of the turns that answer questions an extractive summary keeps",
		Long: `Measure the extractive summary: each conversation of --turns (JSON lines of conv, id,
session, speaker, text) is summarised to a share of its words, and the turns that are
evidence for --questions (JSON lines of conv, evidence) are looked for in it. A turn is kept
when at least half of its words that are neither stop words nor small talk are there.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if turns == "" || questions == "" {
				return usagef("eval summary needs --turns and --questions")
			}
			if keep <= 0 || keep > 1 {
				return usagef("--keep is a share above 0, up to 1")
			}
			set, err := loadSummarySet(turns, questions)
			if err != nil {
				return err
			}
			return output(cmd, asJSON, set.measure(cmd, keep), printSummaryFigures)
		},
	}
	cmd.Flags().StringVar(&turns, "turns", "", "conversations, one turn per line")
	cmd.Flags().StringVar(&questions, "questions", "", "questions with the turns that answer them, one per line")
	cmd.Flags().Float64Var(&keep, "keep", 0.3, "share of the words that the summary may have")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object instead of a table")
	return cmd
}

// summaryConv is one conversation with its questions.
type summaryConv struct {
	messages  []memory.Message
	seq       map[string]int64 // by id
	session   string
	questions [][]int64 // their evidence
}

type summarySet struct{ convs []*summaryConv }

func loadSummarySet(turns, questions string) (*summarySet, error) {
	set, named := &summarySet{}, map[string]*summaryConv{}
	turnLines, err := readLines[evalTurn](turns)
	if err != nil {
		return nil, err
	}
	for _, t := range turnLines {
		c := named[t.Conv]
		if c == nil {
			c = &summaryConv{seq: map[string]int64{}}
			named[t.Conv] = c
			set.convs = append(set.convs, c)
		}
		c.add(t)
	}
	questionLines, err := readLines[evalQuestion](questions)
	if err != nil {
		return nil, err
	}
	for n, q := range questionLines {
		c := named[q.Conv]
		if c == nil {
			return nil, fmt.Errorf("%s: question %d: there is no conversation %q", questions, n+1, q.Conv)
		}
		var evidence []int64
		for _, id := range q.Evidence {
			if seq, ok := c.seq[id]; ok {
				evidence = append(evidence, seq)
			}
		}
		if len(evidence) > 0 {
			c.questions = append(c.questions, evidence)
		}
	}
	return set, nil
}

// add appends a turn. Its time only marks pauses: sessions are a day apart. The speakers assistant, agent
// and bot are the agent, any other one is a person.
func (c *summaryConv) add(t evalTurn) {
	n := int64(len(c.messages)) + 1
	at := time.Unix(0, 0).UTC()
	if n > 1 {
		at = c.messages[n-2].Timestamp.Add(time.Second)
		if string(t.Session) != c.session {
			at = at.Add(24 * time.Hour)
		}
	}
	c.session, c.seq[t.ID] = string(t.Session), n
	role := memory.User
	switch strings.ToLower(t.Speaker) {
	case "assistant", "agent", "bot":
		role = memory.Agent
	}
	c.messages = append(c.messages, memory.Message{Seq: n, Turn: n, Role: role, Text: t.Text, Timestamp: at})
}

func (s *summarySet) measure(cmd *cobra.Command, keep float64) *summaryFigures {
	var t summaryTally
	progress := countBar(cmd, "summarise", len(s.convs))
	defer progress.finish()
	begin := time.Now()
	for _, c := range s.convs {
		t.add(c, keep)
		progress.add(1)
	}
	took := time.Since(begin)
	share := func(part, whole float64) float64 { return math.Round(1e4*part/cmp.Or(whole, 1)) / 1e4 }
	return &summaryFigures{
		EvidenceKept: share(t.evidenceKept, t.evidence), PerQuestion: share(t.answered, t.questions),
		TurnsKept: share(t.turnsKept, t.turns), WordsKept: share(t.wordsKept, t.words),
		Evidence: int(t.evidence), Questions: int(t.questions), Conversations: len(s.convs),
		PerMessage: math.Round(float64(took.Nanoseconds())/100/cmp.Or(t.turns, 1)) / 10,
	}
}

// summaryTally sums figures over conversations.
type summaryTally struct {
	evidence, evidenceKept, questions, answered, turns, turnsKept, words, wordsKept float64
}

func (t *summaryTally) add(c *summaryConv, keep float64) {
	total := 0
	for i := range c.messages {
		total += len(strings.Fields(c.messages[i].Text))
	}
	pieces := map[int64][]summary.Piece{}
	for _, p := range summary.Extract(c.messages, int(keep*float64(total))) {
		pieces[p.Seq] = append(pieces[p.Seq], p)
		t.wordsKept += float64(len(strings.Fields(p.Text)))
	}
	held := make([]bool, len(c.messages)+1)
	for i := range c.messages {
		if held[i+1] = summary.Holds(c.messages[i].Text, pieces[int64(i+1)]); held[i+1] {
			t.turnsKept++
		}
	}
	t.turns += float64(len(c.messages))
	t.words += float64(total)
	asked := map[int64]bool{}
	for _, evidence := range c.questions {
		found := 0.0
		for _, seq := range evidence {
			if held[seq] {
				found++
			}
			if !asked[seq] {
				asked[seq] = true
				t.evidence++
				t.evidenceKept += boolToFloat(held[seq])
			}
		}
		t.questions++
		t.answered += found / float64(len(evidence))
	}
}

func boolToFloat(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func printSummaryFigures(w io.Writer, r *summaryFigures) error {
	_, err := fmt.Fprintf(w, "%.1f %% of %d evidence turns are kept at %.1f %% of the words (%.1f %% by question, %.1f %% of all turns); %.1f µs a message\n",
		100*r.EvidenceKept, r.Evidence, 100*r.WordsKept, 100*r.PerQuestion, 100*r.TurnsKept, r.PerMessage)
	return err
}
