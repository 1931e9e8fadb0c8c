package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/slotway/slotway/memory/summary"
)

// agentWeight is set by hand, since both speakers of the data are people: an assistant's words are
// asked for half as often as the person's.
var agentWeight = -math.Ln2

func main() {
	dir := flag.String("dir", "", "folder with turns.jsonl and questions.jsonl")
	out := flag.String("out", "", "file to write the table to; none: only report")
	l2 := flag.Float64("l2", 1, "penalty on the weights")
	keep := flag.Float64("keep", 0.3, "share of the words that is kept")
	block := flag.Int("block", 20, "messages in a block")
	flag.Parse()
	if err := run(*dir, *out, *l2, *keep, *block); err != nil {
		fmt.Fprintln(os.Stderr, "salience:", err)
		os.Exit(1)
	}
}

func run(dir, out string, l2, keep float64, block int) error {
	convs, err := load(dir)
	if err != nil {
		return err
	}
	rows := make([][]row, len(convs))
	for i, c := range convs {
		rows[i] = c.rows(block)
	}
	var apart, within tally
	for i, c := range convs {
		var others []row
		for j := range rows {
			if j != i {
				others = append(others, rows[j]...)
			}
		}
		one := c.measure(rows[i], fit(others, l2), keep)
		fmt.Printf("%-10s left out: %s\n", c.name, one)
		apart.add(one)
	}
	var all []row
	for _, list := range rows {
		all = append(all, list...)
	}
	weights := fit(all, l2)
	for i, c := range convs {
		within.add(c.measure(rows[i], weights, keep))
	}
	fmt.Printf("left out:   %s\nfitted on:  %s\n", apart, within)
	if out == "" {
		return nil
	}
	return os.WriteFile(out, []byte(table(weights, apart, within)), 0o644)
}

// table returns the Go file with the weights.
func table(weights []float64, apart, within tally) string {
	var b strings.Builder
	fmt.Fprintf(&b, `package summary

// weights are the coefficients of the salience model, fitted by scripts/lab/train/salience on
// the development half of LoCoMo (Maharana et al., "Evaluating Very Long-Term Conversational
// Memory of LLM Agents", 2024). Evidence turns kept at 30 %% of the words, in %%: %.1f in
// conversations left out, one at a time, when fitting; %.1f in those it was fitted on. The
// weight of agent is set by hand.
var weights = []struct {
	name  string
	value float64
}{
`, apart.share(), within.share())
	for i, name := range summary.FeatureNames() {
		fmt.Fprintf(&b, "\t{%q, %.4f},\n", name, weights[i])
	}
	b.WriteString("}\n")
	return b.String()
}
