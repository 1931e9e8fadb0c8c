package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/config"
)

// classified is one line of `classify --json`.
type classified struct {
	Text       string          `json:"text"`
	Intent     string          `json:"intent"`
	Confidence float64         `json:"confidence"`
	Tier       string          `json:"tier"` // the classifier that answered
	Zone       string          `json:"zone"` // accept, offer or reject
	Ranking    []message.Score `json:"ranking"`
	Params     []message.Value `json:"params"`
	Clauses    []clauseLine    `json:"clauses"`
}

// clauseLine is one clause of the message and its acts.
type clauseLine struct {
	Text    string             `json:"text"`
	Join    string             `json:"join,omitempty"`
	Acts    map[string]float64 `json:"acts"` // those of at least a fifth
	Stock   string             `json:"stock,omitempty"`
	Ranking []message.Score    `json:"ranking,omitempty"`
}

// leastAct is the least probability of a listed act.
const leastAct = 0.2

func clauseLines(text string, clauses []message.Clause) []clauseLine {
	runes := []rune(text)
	out := make([]clauseLine, len(clauses))
	for i, c := range clauses {
		out[i] = clauseLine{Text: string(runes[min(c.Start, len(runes)):min(c.End, len(runes))]), Join: c.Join, Acts: map[string]float64{}, Stock: c.Stock, Ranking: c.Ranking}
		for a, p := range c.Acts {
			if p >= leastAct {
				out[i].Acts[message.Act(a).String()] = float64(int(p*1000)) / 1000
			}
		}
	}
	return out
}

// zoneOf returns what a confidence leads to: accept, the intent is acted upon; offer, the best two
// intents are offered; reject, the message is not understood.
func zoneOf(p config.ClassifierPolicy, confidence float64) string {
	switch {
	case confidence >= p.Threshold:
		return "accept"
	case confidence >= p.Reject:
		return "offer"
	}
	return "reject"
}

func newClassify(f *flags) *cobra.Command {
	var asJSON bool
	var asked string
	cmd := &cobra.Command{
		Use: "classify",
		Example: `  echo 'cancel O-12345' | slotway classify
  slotway classify --agent agent.yaml --json < messages.txt`,
		Short: "Classify lines of text: intent, confidence, zone, tier, ranking and params",
		Long: `Classify each line of the input on its own. The zone follows from the confidence: accept (at
or above classifier.threshold) begins the intent, offer asks the user to choose between the
best two intents, reject means not understood. The tier is the classifier that answered.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			agent, err := f.loadAgent()
			if err != nil {
				return err
			}
			understand, err := f.classifier(agent, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			out := bufio.NewWriter(cmd.OutOrStdout())
			scan := bufio.NewScanner(cmd.InOrStdin())
			scan.Buffer(make([]byte, 0, 64<<10), maxLine)
			for scan.Scan() {
				in := classifier.Input{Text: strings.ToValidUTF8(scan.Text(), "\uFFFD"), Now: time.Now().In(agent.Location)}
				if asked != "" {
					in.Asked = &classifier.Asked{Param: asked}
				}
				res, err := understand.Classify(cmd.Context(), in)
				if err != nil {
					return fmt.Errorf("classify a line: %w", err)
				}
				if err := writeClassified(out, asClassified(in.Text, res, agent.Classifier), asJSON); err != nil {
					return err
				}
			}
			return scan.Err()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line")
	cmd.Flags().StringVar(&asked, "asked", "", "param that the agent has asked for")
	return cmd
}

// asClassified has empty lists where the result has none.
func asClassified(text string, res message.Result, policy config.ClassifierPolicy) classified {
	line := classified{
		Text: text, Intent: res.Intent, Confidence: res.Confidence, Tier: res.Tier, Zone: zoneOf(policy, res.Confidence),
		Ranking: res.Ranking, Params: res.Params, Clauses: clauseLines(text, res.Clauses),
	}
	if line.Ranking == nil {
		line.Ranking = []message.Score{}
	}
	if line.Params == nil {
		line.Params = []message.Value{}
	}
	return line
}

func writeClassified(out *bufio.Writer, line classified, asJSON bool) error {
	if asJSON {
		data, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("encode a line: %w", err)
		}
		fmt.Fprintf(out, "%s\n", data)
		return out.Flush()
	}
	fmt.Fprintf(out, "%s %.2f %s (%s)", orNone(line.Intent), line.Confidence, line.Zone, line.Tier)
	for _, v := range line.Params {
		fmt.Fprintf(out, "  %s=%v [%d:%d %s]", v.Param, v.Value, v.Start, v.End, v.Source)
	}
	fmt.Fprintln(out)
	return out.Flush()
}
