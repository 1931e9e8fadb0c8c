package extract

import (
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/slotway/slotway/classifier"
	"github.com/slotway/slotway/classifier/extract/internal/calendar"
	"github.com/slotway/slotway/config"
)

// spokenCase is a line of testdata/tongues: a sentence and what is found in it.
type spokenCase struct {
	at               string
	kind             string // of the param that is looked at, "" for all
	asked            bool
	text, want, half string
}

// spokenCases reads the cases of a language.
func spokenCases(t testing.TB, tag string) []spokenCase {
	t.Helper()
	name := "testdata/tongues/" + tag + ".txt"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head := regexp.MustCompile(`^([a-z_]+)([:?]) `)
	var out []spokenCase
	for n, line := range strings.Split(string(data), "\n") {
		text, want, ok := strings.Cut(line, "=>")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		c := spokenCase{at: fmt.Sprintf("%s:%d", name, n+1), text: strings.TrimSpace(text), want: strings.TrimSpace(want)}
		if m := head.FindStringSubmatch(c.text); m != nil {
			c.kind, c.asked, c.text = m[1], m[2] == "?", c.text[len(m[0]):]
		}
		sum := fnv.New32a()
		sum.Write([]byte(text))
		c.half = string("AB"[sum.Sum32()>>3&1])
		out = append(out, c)
	}
	return out
}

// spokenAgent is an agent of a language with a param of every built-in type and an order id.
func spokenAgent(tag string) *Extractor {
	a := &config.Agent{Language: tag, Params: map[string]*config.Param{}}
	for _, kind := range config.BuiltinTypes {
		if kind != "datetime" && kind != "text" && kind != "zip" {
			a.Params[kind] = &config.Param{Name: kind, Type: &config.Type{Name: kind, Builtin: kind}}
		}
	}
	a.Params["order_id"] = &config.Param{Name: "order_id", Type: &config.Type{Name: "order_id", Bare: regexp.MustCompile(`^\d{5}$`), Patterns: []*regexp.Regexp{regexp.MustCompile(`\b\d{5}\b`)}}}
	return New(a, &Options{})
}

// found is what a case finds, written as the table has it.
func (c spokenCase) found(x *Extractor, tag string) string {
	var out []string
	if c.kind == "" {
		for _, e := range Recognize(c.text, now, &Options{Language: tag}) {
			value := e.Value
			if f, ok := value.(float64); ok {
				value = calendar.TrimFloat(f)
			}
			out = append(out, fmt.Sprintf("%s<%s>=%v", e.Kind, e.Text, value))
		}
		return strings.Join(out, "; ")
	}
	in := classifier.Input{Text: c.text, Now: now}
	if c.asked {
		in.Asked = &classifier.Asked{Param: c.kind}
	}
	values, wrong := x.ExtractAll(in, nil)
	for _, v := range values {
		if v.Param == c.kind {
			out = append(out, fmt.Sprint(v.Value))
		}
	}
	for _, v := range wrong {
		if v.Param == c.kind {
			out = append(out, "!"+v.Wrong)
		}
	}
	return strings.Join(out, "; ")
}

// TestTongues holds the tables of every language to its cases. SLOTWAY_HALF=A or B looks at the
// cases of one half alone, which a hash of the text chooses.
func TestTongues(t *testing.T) {
	for _, tag := range []string{"de", "es", "fr"} {
		t.Run(tag, func(t *testing.T) {
			x, right, all := spokenAgent(tag), map[string]int{}, map[string]int{}
			only := os.Getenv("SLOTWAY_HALF")
			for _, c := range spokenCases(t, tag) {
				got := c.found(x, tag)
				all[c.half]++
				if got == c.want {
					right[c.half]++
				} else if only == "" || only == c.half {
					t.Errorf("%s: %q\n  want %s\n  got  %s", c.at, c.text, c.want, got)
				}
			}
			for _, half := range []string{"A", "B"} {
				t.Logf("%s, half %s: %d of %d", tag, half, right[half], all[half])
			}
		})
	}
}
