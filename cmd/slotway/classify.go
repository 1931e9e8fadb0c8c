package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/cascade"
)

// classified is one line of `classify --json`.
type classified struct {
	Text       string             `json:"text"`
	Intent     string             `json:"intent"`
	Confidence float64            `json:"confidence"`
	Ranking    []classifier.Score `json:"ranking"`
	Params     []classifier.Value `json:"params"`
}

func newClassify(f *flags) *cobra.Command {
	var asJSON bool
	var asked string
	cmd := &cobra.Command{
		Use:   "classify",
		Short: "Lines in; intent, confidence, ranking and params out",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			agent, err := f.loadAgent()
			if err != nil {
				return err
			}
			understand, err := cascade.New(agent, nil)
			if err != nil {
				return fmt.Errorf("train the classifier: %w", err)
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
				if err := writeClassified(out, in.Text, res, asJSON); err != nil {
					return err
				}
			}
			return scan.Err()
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line")
	cmd.Flags().StringVar(&asked, "asked", "", "param that is being asked for")
	return cmd
}

func writeClassified(out *bufio.Writer, text string, res classifier.Result, asJSON bool) error {
	if asJSON {
		line := classified{Text: text, Intent: res.Intent, Confidence: res.Confidence, Ranking: res.Ranking, Params: res.Params}
		if line.Ranking == nil {
			line.Ranking = []classifier.Score{}
		}
		if line.Params == nil {
			line.Params = []classifier.Value{}
		}
		data, err := json.Marshal(line)
		if err != nil {
			return fmt.Errorf("encode a line: %w", err)
		}
		fmt.Fprintf(out, "%s\n", data)
		return out.Flush()
	}
	fmt.Fprintf(out, "%s %.2f", orNone(res.Intent), res.Confidence)
	for _, v := range res.Params {
		fmt.Fprintf(out, "  %s=%v [%d:%d %s]", v.Param, v.Value, v.Start, v.End, v.Source)
	}
	fmt.Fprintln(out)
	return out.Flush()
}
