package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/embed"
	"github.com/slotway/slotway/memory/inmem"
	"github.com/slotway/slotway/memory/recall"
)

// evalTurn is one line of --turns. The speakers user and assistant are roles, any other name is a
// person's.
type evalTurn struct {
	Conv    string          `json:"conv"`
	ID      string          `json:"id"`
	Session json.RawMessage `json:"session"` // a number or a name
	Speaker string          `json:"speaker"`
	Date    string          `json:"date"`
	Text    string          `json:"text"`
	Caption string          `json:"caption"` // of a picture that was sent along
}

// evalQuestion is one line of --questions.
type evalQuestion struct {
	Idx      *int     `json:"idx"` // default: its place in the file
	Conv     string   `json:"conv"`
	Question string   `json:"question"`
	Category string   `json:"category"`
	Evidence []string `json:"evidence"` // ids of turns
}

// recallRun is one line of --run.
type recallRun struct {
	Conv   string   `json:"conv"`
	Idx    int      `json:"question_idx"`
	Ranked []string `json:"ranked"`
}

// recallFigures are the results; Recall is by "R@K".
type recallFigures struct {
	Recall     map[string]float64
	Categories map[string]map[string]float64
	Messages   int
	Questions  int
	P50, P99   float64 // of finding in the index, in microseconds
	SearchP50  float64 // of a whole search, which reads the messages, in microseconds
	Build      float64 // of all indexes, in milliseconds
	Bytes      int64   // of all indexes
	Model      string
}

// MarshalJSON puts the shares beside the other figures.
func (r *recallFigures) MarshalJSON() ([]byte, error) {
	out := map[string]any{
		"by_category": r.Categories, "messages": r.Messages, "questions": r.Questions, "p50_us": r.P50, "p99_us": r.P99,
		"search_p50_us": r.SearchP50,
		"build_ms":      r.Build, "index_bytes": r.Bytes, "model": r.Model,
	}
	for name, v := range r.Recall {
		out[name] = v
	}
	return json.Marshal(out)
}

// recallFlags configure `eval recall`.
type recallFlags struct {
	turns, questions, run string
	k                     []int
	noEmbeddings, json    bool
}

// newEvalRecall measures the recall tier.
func newEvalRecall(*flags) *cobra.Command {
	var e recallFlags
	cmd := &cobra.Command{
		Use:     "recall --turns F --questions F",
		Example: "  slotway eval recall --turns turns.jsonl --questions questions.jsonl -k 5,10",
		Short:   "Measure how many of the messages that answer a question are found",
		Long: `Search conversations for the messages that answer questions, with the index of the service.

Turns are JSON lines {"conv", "id", "session", "speaker", "date", "text", "caption"};
questions {"idx", "conv", "question", "category", "evidence": [id]}. A conversation is one
user's: each question is searched in all its sessions. R@K is the mean share of a question's
evidence among its first K messages; questions without evidence are left out. "p50_us" and
"p99_us" are the times to find the messages in the index, after a first search with the
question's words; "search_p50_us" is the time of that first search, which also asks the store
for new messages and reads them; "build_ms" is the time to build all indexes.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return e.eval(cmd) },
	}
	fl := cmd.Flags()
	fl.StringVar(&e.turns, "turns", "", "file of turns")
	fl.StringVar(&e.questions, "questions", "", "file of questions")
	fl.IntSliceVarP(&e.k, "k", "k", []int{5, 10}, "messages to look at")
	fl.StringVar(&e.run, "run", "", "also write what was found to this file, a JSON line a question")
	fl.BoolVar(&e.noEmbeddings, "no-embeddings", false, "search by words alone")
	fl.BoolVar(&e.json, "json", false, "one JSON object")
	return cmd
}

func (e *recallFlags) eval(cmd *cobra.Command) error {
	switch {
	case e.turns == "" || e.questions == "":
		return usagef("--turns and --questions are both needed")
	case len(e.k) == 0 || slices.Min(e.k) < 1 || slices.Max(e.k) > 1000:
		return usagef("-k takes numbers from 1 to 1000")
	}
	turns, err := readLines[evalTurn](e.turns)
	if err != nil {
		return err
	}
	questions, err := readLines[evalQuestion](e.questions)
	if err != nil {
		return err
	}
	bench, err := newRecallBench(cmd.Context(), turns, e.noEmbeddings)
	if err != nil {
		return err
	}
	figures, runs, err := bench.ask(cmd, questions, e.k)
	if err != nil {
		return err
	}
	if e.run != "" {
		if err := writeRuns(e.run, runs); err != nil {
			return err
		}
	}
	return output(cmd, e.json, figures, printRecall)
}

// maxEvalLine bounds a line of a file of JSON lines, in bytes.
const maxEvalLine = 16 << 20

// readLines reads a file of JSON lines. An error names the line and never quotes it.
func readLines[T any](path string) ([]T, error) {
	file, err := source.OpenFile(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, maxEvalLine)
	var out []T
	for n := 1; scan.Scan(); n++ {
		if len(bytes.TrimSpace(scan.Bytes())) == 0 {
			continue
		}
		var v T
		if json.Unmarshal(scan.Bytes(), &v) != nil {
			return nil, fmt.Errorf("%s:%d: not a JSON object of the expected form", path, n)
		}
		out = append(out, v)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}

func writeRuns(path string, runs []recallRun) error {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	for i := range runs {
		if err := enc.Encode(runs[i]); err != nil {
			return fmt.Errorf("encode the run: %w", err)
		}
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

func printRecall(out io.Writer, r *recallFigures) error {
	w := newTable(out)
	names := slices.SortedFunc(maps.Keys(r.Recall), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	})
	row := func(name string, n int, values map[string]float64) {
		fmt.Fprintf(w, "%s\t%d", name, n)
		for _, key := range names {
			fmt.Fprintf(w, "\t%s %.1f %%", key, 100*values[key])
		}
		fmt.Fprintln(w)
	}
	row("all", r.Questions, r.Recall)
	for _, category := range slices.Sorted(maps.Keys(r.Categories)) {
		row(category, int(r.Categories[category]["n"]), r.Categories[category])
	}
	fmt.Fprintf(w, "finding takes\t%.0f µs (p50), %.0f µs (p99); with reading the messages %.0f µs\n", r.P50, r.P99, r.SearchP50)
	fmt.Fprintf(w, "building takes\t%.0f ms for %d messages, %.0f bytes each\n", r.Build, r.Messages, float64(r.Bytes)/math.Max(float64(r.Messages), 1))
	return w.Flush()
}

// recallBench is a store of conversations with a tier over it.
type recallBench struct {
	tier     *recall.Tier
	ids      map[recallPlace]string // of turns
	convs    []string
	messages int
	model    string
	build    time.Duration
}

// recallPlace is the message that a turn became.
type recallPlace struct {
	conv, session string
	seq           int64
}

const recallAgent = "eval"

func newRecallBench(ctx context.Context, turns []evalTurn, noEmbeddings bool) (*recallBench, error) {
	b := &recallBench{ids: map[recallPlace]string{}}
	opts := &recall.Options{MaxBytes: math.MaxInt64, MaxScopes: math.MaxInt}
	if !noEmbeddings {
		static, err := embed.New()
		if err != nil {
			return nil, err
		}
		opts.Embedders = []recall.Embedder{static}
		b.model = static.Model()
	}
	store := inmem.New(nil)
	b.tier = recall.New(store, opts)
	sessions, order := map[memory.Key]*memory.Delta{}, []memory.Key{}
	for i := range turns {
		t := &turns[i]
		key := memory.Key{UserID: t.Conv, AgentID: recallAgent, SessionID: cmp.Or(strings.Trim(string(t.Session), `"`), "1")}
		d := sessions[key]
		if d == nil {
			d = &memory.Delta{Key: key}
			sessions[key] = d
			order = append(order, key)
		}
		m := t.message()
		m.Seq, m.Turn = int64(len(d.Messages))+1, 1
		if d.At.IsZero() {
			d.At = m.Timestamp
		}
		d.Messages = append(d.Messages, m)
		b.ids[recallPlace{t.Conv, key.SessionID, m.Seq}] = t.ID
		if !slices.Contains(b.convs, t.Conv) {
			b.convs = append(b.convs, t.Conv)
		}
	}
	for _, key := range order {
		if err := store.Commit(ctx, sessions[key]); err != nil {
			return nil, fmt.Errorf("store session %s of %s: %w", key.SessionID, key.UserID, err)
		}
	}
	b.messages = len(turns)
	return b, b.warm(ctx)
}

// warm builds the indexes.
func (b *recallBench) warm(ctx context.Context) error {
	begun := time.Now()
	for _, conv := range b.convs {
		q := recall.Query{Key: memory.Key{UserID: conv, AgentID: recallAgent}, Text: "warm", K: 1}
		if _, err := b.tier.Search(ctx, q); err != nil {
			return err
		}
	}
	b.build = time.Since(begun)
	return nil
}

// message returns the turn as a stored message.
func (t *evalTurn) message() memory.Message {
	m := memory.Message{Role: memory.User, Text: strings.ToValidUTF8(t.Text, "\uFFFD"), Timestamp: recallDate(t.Date)}
	if t.Caption != "" {
		m.Text += " [" + strings.ToValidUTF8(t.Caption, "\uFFFD") + "]"
	}
	switch strings.ToLower(t.Speaker) {
	case "user", "human":
	case "assistant", "agent", "ai", "bot", "system":
		m.Role = memory.Agent
	default:
		m.Metadata = map[string]string{recall.SpeakerKey: t.Speaker}
	}
	return m
}

// recallDates are the accepted forms of dates. A turn without one has no date.
var recallDates = []string{
	"3:04 pm on 2 January, 2006", time.RFC3339, time.DateTime, time.DateOnly, "2006-01-02T15:04:05", "2006/01/02 (Mon) 15:04",
	"2006/01/02", "January-02-2006", "January-2-2006", "January 2, 2006", "2 January, 2006", "2 January 2006", "02.01.2006, 15:04:05",
}

func recallDate(text string) time.Time {
	for _, layout := range recallDates {
		if at, err := time.Parse(layout, strings.TrimSpace(text)); err == nil {
			return at
		}
	}
	return time.Time{}
}

// ask searches for every question.
func (b *recallBench) ask(cmd *cobra.Command, questions []evalQuestion, ks []int) (*recallFigures, []recallRun, error) {
	figures := &recallFigures{
		Recall: map[string]float64{}, Categories: map[string]map[string]float64{}, Messages: b.messages, Model: b.model,
		Build: float64(b.build.Microseconds()) / 1000, Bytes: b.tier.Stats().Bytes,
	}
	progress := countBar(cmd, "questions", len(questions))
	defer progress.finish()
	counts := map[string]int{}
	var runs []recallRun
	var times, whole []time.Duration
	for i := range questions {
		q := &questions[i]
		query := recall.Query{Key: memory.Key{UserID: q.Conv, AgentID: recallAgent}, Text: q.Question, K: slices.Max(ks)}
		begun := time.Now()
		found, err := b.tier.Search(cmd.Context(), query)
		if err != nil {
			return nil, nil, fmt.Errorf("question %d: %w", i, err)
		}
		whole = append(whole, time.Since(begun))
		begun = time.Now()
		if _, err := b.tier.Places(cmd.Context(), query); err != nil {
			return nil, nil, fmt.Errorf("question %d: %w", i, err)
		}
		times = append(times, time.Since(begun))
		ranked := []string{}
		for j := range found {
			ranked = append(ranked, b.ids[recallPlace{q.Conv, found[j].Key.SessionID, found[j].Message.Seq}])
		}
		idx := i
		if q.Idx != nil {
			idx = *q.Idx
		}
		runs = append(runs, recallRun{Conv: q.Conv, Idx: idx, Ranked: ranked})
		figures.add(q, ranked, ks, counts)
		progress.add(1)
	}
	figures.finish(counts)
	slices.Sort(times)
	slices.Sort(whole)
	figures.P50, figures.P99, figures.SearchP50 = quantile(times, .5), quantile(times, .99), quantile(whole, .5)
	return figures, runs, nil
}

// add counts one question.
func (r *recallFigures) add(q *evalQuestion, ranked []string, ks []int, counts map[string]int) {
	gold := map[string]bool{}
	for _, id := range q.Evidence {
		gold[id] = true
	}
	if len(gold) == 0 {
		return
	}
	if r.Categories[q.Category] == nil {
		r.Categories[q.Category] = map[string]float64{}
	}
	r.Questions++
	counts[q.Category]++
	for _, k := range ks {
		hits := 0
		for _, id := range ranked[:min(k, len(ranked))] {
			if gold[id] {
				hits++
			}
		}
		share := float64(hits) / float64(len(gold))
		r.Recall[fmt.Sprintf("R@%d", k)] += share
		r.Categories[q.Category][fmt.Sprintf("R@%d", k)] += share
	}
}

// finish turns sums into means.
func (r *recallFigures) finish(counts map[string]int) {
	for name := range r.Recall {
		r.Recall[name] /= float64(r.Questions)
	}
	for category, values := range r.Categories {
		for name := range values {
			values[name] /= float64(counts[category])
		}
		values["n"] = float64(counts[category])
	}
}
