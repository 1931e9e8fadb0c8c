package extract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/config"
)

// TestLocalPhone: a number within its town is taken unasked where a param holds one, but not
// behind the noun of another number, and no area is made up for it.
func TestLocalPhone(t *testing.T) {
	with := New(&config.Agent{Params: map[string]*config.Param{"phone": {Name: "phone", Type: &config.Type{Name: "phone", Builtin: "phone"}}}}, &Options{Region: "US"})
	for text, want := range map[string]string{
		"555-1234": "5551234", "it's 555-1234": "5551234", "call me at 555 1234": "5551234", "Dev Patel, 555-0199": "5550199",
		"order 555-1234": "", "room 555-1234": "", "2019-2024": "", "100-2000 pieces": "",
	} {
		var got []string
		for _, v := range with.Extract(classifier.Input{Text: text, Now: now}, nil) {
			got = append(got, fmt.Sprint(v.Value))
		}
		if strings.Join(got, ",") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	without := Recognize("it's 555-1234", now, &Options{Region: "US"})
	for _, e := range without {
		if e.Kind == "phone" {
			t.Errorf("no param holds a phone, and %q is one", e.Text)
		}
	}
}
