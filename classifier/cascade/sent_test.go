package cascade

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/message"
)

// TestEveryPieceStandsInTheMessageAsItWasSent reads messages whose letters have another length in
// another form. What is found stands where it says, and clauses lose no word.
func TestEveryPieceStandsInTheMessageAsItWasSent(t *testing.T) {
	c := newClassifier(t)
	hard := rapid.SampledFrom([]string{
		"İpek İnci", "ıı", "ẞtraße 12", "ΟΔΟΣ", "ȺȺȺ", "👨\u200d👩\u200d👧", "👍🏽", "cafe\u0301", "ﬁve", "2½", "10²", "…", "’", "–", "\u200b", "\u00a0", "ｙｅｓ，",
		"not", "no, ", ". ", "? ", "O–12345", "ana@example.com", " ", "\n", "don’t", "and where is ", "because ", "東京", "ไม่", "\xff", "tomorrow at 5", "$20",
	})
	asked := rapid.SampledFrom([]string{"", "address", "contact", "city", "order_id", "amount", "size", "pickup_day"})
	rapid.Check(t, func(rt *rapid.T) {
		sent := strings.Join(rapid.SliceOfN(hard, 0, 12).Draw(rt, "parts"), rapid.SampledFrom([]string{"", " "}).Draw(rt, "gap"))
		in := classifier.Input{Text: sent, Now: now}
		if p := asked.Draw(rt, "asked"); p != "" {
			in.Asked = &classifier.Asked{Param: p}
		}
		r, err := c.Classify(t.Context(), in)
		if err != nil {
			rt.Fatal(err)
		}
		at := message.PlacesOf(sent)
		for _, v := range append(r.Params, r.Wrong...) {
			if v.Text == "" || at.Between(v.Start, v.End) != v.Text {
				rt.Fatalf("%s is %q at [%d,%d) of %q", v.Param, v.Text, v.Start, v.End, sent)
			}
			if said, ok := v.Value.(string); ok && c.free(&v) && !strings.Contains(sent, said) {
				rt.Fatalf("%s is %q, which nobody said in %q", v.Param, said, sent)
			}
		}
		end := 0
		for _, cl := range r.Clauses {
			if cl.Start < end || cl.End < cl.Start {
				rt.Fatalf("a clause at [%d,%d) behind %d of %q", cl.Start, cl.End, end, sent)
			}
			end = cl.End
		}
	})
}
