package extract

import (
	"testing"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// TestAges: of several numbers an age is the one that is said to be one, or the only one that
// counts nothing else; where no word says so, all stay.
func TestAges(t *testing.T) {
	text, err := phrase.ParseText("How old is the driver?")
	if err != nil {
		t.Fatal(err)
	}
	a := inn()
	a.Params["driver"] = &config.Param{Name: "driver", Prompt: text, Type: &config.Type{Name: "integer", Builtin: "integer"}}
	b := inn()
	b.Params["age"] = &config.Param{Name: "age", Type: &config.Type{Name: "number", Builtin: "number"}}
	checkHeard(t, New(a, nil), []heardCase{
		{"driver", "ive had my licence for 25 years, im 47", "driver", "47"},
		{"driver", "I'm 47, licence for 25 years", "driver", "47"},
		{"driver", "47, with 25 years of driving", "driver", "47"},
		{"driver", "she is 31 and has 2 kids", "driver", "31"},
		{"driver", "my wife is 31, she got it in 12 weeks", "driver", "31"},
		{"driver", "29 years old, driving for 9 years", "driver", "29"},
		{"driver", "a 29-year-old with 3 cars", "driver", "29"},
		{"driver", "he just turned 19, 2 of us drive", "driver", "19"},
		{"driver", "aged 62; 40 years of experience", "driver", "62"},
		{"driver", "47", "driver", "47"},
		{"driver", "25 years", "driver", "25"},

		{"driver", "47 or 48", "driver", "47 48"},
		{"driver", "I'm 47 and she is 45", "driver", "47 45"},
		{"driver", "25 years or 30 years", "driver", "25 30"},
		{"quantity", "I'm 47, for 25 years", "quantity", "47 25"},
		{"nights", "im 47 but 3", "nights", "47 3"},
	})
	checkHeard(t, New(b, nil), []heardCase{
		{"age", "I am 35 and drive for 10 years", "age", "35"},
		{"age", "I am 35 and my licence is 10 years old", "age", "35 10"},
		{"", "a trip for 2 weeks, I'm 35", "age", "35?"},
	})
}
