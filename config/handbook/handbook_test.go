package handbook

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/flow/diagram"
)

const desk = `
version: 1
agent: {id: front_desk, description: "lends <b>rooms</b>", language: en}
types:
  size: {values: [{value: small, synonyms: [tiny]}, large], fuzzy: 1}
params:
  room: {type: text, label: room, prompt: "Which room & floor?", validation: {tool: room_exists, max_length: 40}}
  code: {type: integer, label: door code, prompt: "Your code?"}
intents:
  - id: book
    title: book a room
    examples: [book a room, "i need a [small](size) room", reserve a room]
    params: {required: [room, code], optional: [{name: size, type: size}]}
    plan:
      - confirm: "Book {room}?"
        denied: kept
      - call: book_room
        with: {room: $room}
      - respond: booked
  - id: hours
    title: say when the desk is open
    answer_only: true
    examples: [when are you open, opening hours, are you open today]
    plan: [{respond: hours}]
not_served:
  - name: parking
    examples: [where can i park, is there parking, parking spaces]
    response: We have no parking.
tools:
  room_exists: {kind: go, effect: read}
  book_room: {kind: go, effect: write, description: "enters a \"booking\""}
responses:
  kept: Nothing was booked.
  booked: "{room} is yours."
  hours: From nine to five.
redaction: {params: [code]}
`

func written(t *testing.T, o Options) string {
	t.Helper()
	a, err := config.Parse("desk.yaml", []byte(desk), "")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, a, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPageHasEverything(t *testing.T) {
	page := written(t, Options{})
	for _, want := range []string{
		"front desk", "lends &lt;b&gt;rooms&lt;/b&gt;", "book a room", "say when the desk is open", "changes data",
		"Which room &amp; floor?", "by the tool room_exists", "at most 40 characters", `<mark title="size">small</mark>`,
		"small (tiny)", "enters a &#34;booking&#34;", `<span class="mark writes">writes</span>`, "Nothing was booked.", "We have no parking.",
		`door code <code>code</code> <span class="mark redacted">redacted</span>`, `data-intent="book"`, "denied: says: kept", "it asks for a yes",
		"a question expires after 10 minutes, a session begins anew after 1 hour", "the values of code",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
	if n := strings.Count(page, `class="mark redacted"`); n != 1 {
		t.Errorf("%d params are marked as redacted, want 1", n)
	}
	if strings.Contains(page, "Coverage") {
		t.Error("the page speaks of coverage that was not measured")
	}
}

// The page needs nothing else, runs nothing, and its links lead to what is there.
func TestPageIsSelfContained(t *testing.T) {
	page := written(t, Options{})
	for what, pattern := range map[string]string{
		"an address elsewhere": `(?:src|href|url\()\s*=?\s*["']?(?:[a-z]+:)?//`,
		"a script":             `(?i)<script|\son[a-z]+\s*=`,
		"an unfilled name":     `\{\{|ZgotmplZ|<no value>`,
	} {
		if found := regexp.MustCompile(pattern).FindString(page); found != "" {
			t.Errorf("the page has %s: %q", what, found)
		}
	}
	links := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1)
	for _, m := range links {
		if n := strings.Count(page, ` id="`+m[1]+`"`); n != 1 {
			t.Errorf("%d elements have the id %s", n, m[1])
		}
	}
	if len(links) < 8 {
		t.Errorf("%d links", len(links))
	}
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var open []string
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch el := token.(type) {
		case xml.StartElement:
			open = append(open, el.Name.Local)
		case xml.EndElement:
			if open[len(open)-1] != el.Name.Local {
				t.Fatalf("%s is closed within %s", el.Name.Local, open[len(open)-1])
			}
			open = open[:len(open)-1]
		}
	}
}

func TestPageShowsCoverage(t *testing.T) {
	page := written(t, Options{Coverage: &Coverage{
		Of:      "3 conversations",
		Reached: func(_ string, n *diagram.Node) bool { return n.Text != "kept" },
		Intents: map[string]Share{"book": {3, 4}, "hours": {1, 1}},
		Kinds:   []Kind{{"branches", Share{1, 2}}},
	}})
	for _, want := range []string{"50 %", "Measured with 3 conversations.", "75 %", "1 of 2", "No conversation reaches 1 of its nodes.", `node say ends missed"`} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not on the page", want)
		}
	}
	if n := strings.Count(page, ` missed"`); n != 1 {
		t.Errorf("%d nodes are missed, want 1", n)
	}
}

func TestSilenceInWords(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "never expires"},
		{10 * time.Minute, "expires after 10 minutes"},
		{time.Hour, "expires after 1 hour"},
		{20 * time.Second, "expires after 20 seconds"},
		{100 * time.Hour, "expires after 4 days 4 hours"},
		{time.Minute + 1500*time.Millisecond, "expires after 1 minute 1.5 seconds"},
		{time.Second, "expires after 1 second"},
		{100 * time.Millisecond, "expires after 0.1 seconds"},
	} {
		if got := after(c.d, "expires"); got != c.want {
			t.Errorf("after(%v) = %q, want %q", c.d, got, c.want)
		}
	}
}
