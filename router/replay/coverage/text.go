package coverage

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// WriteText writes a report for people: the share of each kind, and what was not reached.
func WriteText(w io.Writer, r *Report) error {
	if _, err := fmt.Fprintf(w, "coverage of agent %s\n", r.Agent); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, k := range r.Kinds {
		fmt.Fprintf(table, "  %s\t%d of %d\t%.0f %%\t\n", k.Kind, k.Reached, k.All, floor(k))
	}
	total := r.Total()
	fmt.Fprintf(table, "  all\t%d of %d\t%.0f %%\t\n", total.Reached, total.All, floor(total))
	if err := table.Flush(); err != nil {
		return err
	}
	kind := Kind("")
	for _, i := range r.Missed() {
		if i.Kind != kind {
			kind = i.Kind
			if _, err := fmt.Fprintf(w, "no conversation reaches these %s:\n", kind); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintf(w, "  %s:%d: %s\n", i.File, i.Line, i.Name); err != nil {
			return err
		}
	}
	return nil
}

// floor rounds down, so that only a kind without a gap has 100 %.
func floor(c Count) float64 { return float64(int(c.Percent())) }
