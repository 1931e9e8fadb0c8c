package telemetry

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/phrase"
)

// agentWith is an agent that hides order_id, name and pin, and every built-in pattern.
func agentWith(mask *phrase.Text) *config.Agent {
	order := &config.Type{Name: "order", Patterns: []*regexp.Regexp{regexp.MustCompile(`\b(O-\d{5})\b`)}}
	return &config.Agent{
		Params: map[string]*config.Param{"order_id": {Name: "order_id", Type: order}, "name": {Name: "name"}},
		Redaction: config.Redaction{
			Params: []string{"order_id", "name", "pin"}, Patterns: config.RedactionPatterns, Mask: mask,
		},
	}
}

func TestMaskText(t *testing.T) {
	r := NewRedactor(agentWith(nil))
	params := map[string]any{
		"order_id": "O-12345", "name": "Ann Lee", "pin": 7.0, "city": "Bonn",
	}
	tests := []struct{ name, text, want string }{
		{"nothing", "where is it?", "where is it?"},
		{"known value", "O-12345, please", "{order_id}, please"},
		{"another case", "i am ann lee", "i am {name}"},
		{"other separators", "order o 12345 or O/12345", "order {order_id} or {order_id}"},
		{"digits only", "12345 it is", "{order_id} it is"},
		{"of another session, by the type's pattern", "no, O-99999", "no, {order_id}"},
		{"a short value as a word", "pin 7, not 17", "pin {pin}, not 17"},
		{"a param that is not hidden", "to Bonn", "to Bonn"},
		{"a mask that is there already", "{order_id} and {name}", "{order_id} and {name}"},
		{"card", "pay with 4111 1111 1111 1111 now", "pay with {card} now"},
		{"card after another number", "2 4111-1111-1111-1111", "2 {card}"},
		{"no card: wrong check digit", "4111 1111 1111 1112", "4111 1111 1111 1112"},
		{"iban", "to DE89 3704 0044 0532 0130 00 today", "to {iban} today"},
		{"iban in one", "gb82west12345698765432.", "{iban}."},
		{"no iban: wrong check digits", "DE88370400440532013000x", "DE88370400440532013000x"},
		{"email", "Write to jane.doe+x@mail.example.org!", "Write to {email}!"},
		{"email next to a mask", "Ann Lee<ann@example.org>", "{name}<{email}>"},
		{"international phone", "call +49 (0)170 1234567", "call {phone}"},
		{"phone with 00", "call 0049 170 1234567", "call {phone}"},
		{"national phone", "call 0170/1234567", "call {phone}"},
		{"american phone", "call (415) 555-0100 or 1-415-555-0100", "call {phone} or {phone}"},
		{"full-width", "４１１１ １１１１ １１１１ １１１１, Ｏ－９９９９９", "{card}, {order_id}"},
		{"known value, full-width", "Ｏ－１２３４５ or １２３４５ for Ａｎｎ　Ｌｅｅ", "{order_id} or {order_id} for {name}"},
		{"digits of another script", "٤١١١١١١١١١١١١١١١ ०१७० १२३४५६७", "{card} {phone}"},
		{"spaces that do not break", "4111\u00a01111\u202f1111\u20071111 to DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000 today", "{card} to {iban} today"},
		{"phone with spaces that do not break", "call +49\u00a0170\u202f1234567", "call {phone}"},
		{"slashes", "4111/1111/1111/1111 and 4111 / 1111 / 1111 / 1111, DE89/3704/0044/0532/0130/00", "{card} and {card}, {iban}"},
		{"slashes of other kinds", "4111⁄1111∕1111／1111 or 0170／1234567", "{card} or {phone}"},
		{"dots and lines", "4111.1111.1111.1111 4111_1111_1111_1111", "{card} {card}"},
		{"dashes of other kinds", "4111‑1111–1111—1111", "{card}"},
		{"signs that nobody sees", "4111\u200b1111\u200d1111\u00ad1111 jane\u200b@example.org", "{card} {email}"},
		{"tabs and new lines", "4111\t1111\n1111\r\n1111", "{card}"},
		{"full-width address", "ｊａｎｅ＠ｅｘａｍｐｌｅ．ｏｒｇ", "{email}"},
		{"what has no sign of a number stays", "half ½ of ５ tea…", "half ½ of ５ tea…"},
		{"dates stay", "from 2026-03-01 to 01.03.2026", "from 2026-03-01 to 01.03.2026"},
		{"amounts and numbers stay", "0.123456789 of 1234567 is 55.00", "0.123456789 of 1234567 is 55.00"},
		{"what a mask lays bare", "Ann Leede89370400440532013000", "{name}{iban}"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, r.MaskText(test.text, params)); diff != "" {
				t.Errorf("MaskText(%q) (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestMaskTemplate(t *testing.T) {
	template, err := phrase.ParseText("<{name}>")
	if err != nil {
		t.Fatal(err)
	}
	r := NewRedactor(agentWith(template))
	got := r.MaskText("O-12345 jane@example.org", nil)
	if want := "<order_id> <email>"; got != want {
		t.Errorf("MaskText = %q, want %q", got, want)
	}
}

func TestMaskParams(t *testing.T) {
	r := NewRedactor(agentWith(nil))
	params := map[string]any{
		"order_id": "O-12345", "name": nil, "pin": []any{1.0, 2.0},
		"note":  "for O-12345, ring 0170 1234567",
		"items": []any{map[string]any{"O-12345": "ann@example.org", "n": 2.0}, true, nil},
	}
	want := map[string]any{
		"order_id": "{order_id}", "name": nil, "pin": "{pin}",
		"note":  "for {order_id}, ring {phone}",
		"items": []any{map[string]any{"{order_id}": "{email}", "n": 2.0}, true, nil},
	}
	got := r.MaskParams(params)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("MaskParams (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, r.MaskParams(got)); diff != "" {
		t.Errorf("MaskParams twice (-want +got):\n%s", diff)
	}
	if params["order_id"] != "O-12345" {
		t.Error("MaskParams changes what it was given")
	}
	if diff := cmp.Diff(want["items"], r.Masker(params).Value(params["items"])); diff != "" {
		t.Errorf("Value (-want +got):\n%s", diff)
	}
}

func TestRedactorThatHidesNothing(t *testing.T) {
	r := NewRedactor(&config.Agent{})
	const text = "jane@example.org O-12345"
	if got := r.MaskText(text, map[string]any{"order_id": "O-12345"}); got != text {
		t.Errorf("MaskText = %q", got)
	}
	if r.Hides("order_id") {
		t.Error("Hides(order_id) = true")
	}
	if !NewRedactor(agentWith(nil)).Hides("pin") {
		t.Error("Hides(pin) = false")
	}
}

// What was forgotten shows nothing.
func TestRedactorThatKnowsNothing(t *testing.T) {
	params := map[string]any{"order_id": "O-12345", "list": []any{map[string]any{"pin": 4711.0}}, "none": nil}
	hidden := map[string]any{"order_id": "[redacted]", "list": "[redacted]", "none": nil}
	for _, r := range []*Redactor{nil, {}, NewRedactor(nil)} {
		if got := r.MaskText("O-12345", nil) + r.Masker(nil).Text("O-12345") + r.Pseudonyms(nil).Hide("O-12345"); got != "[redacted][redacted][redacted]" {
			t.Errorf("texts: %q", got)
		}
		if diff := cmp.Diff(hidden, r.MaskParams(params)); diff != "" {
			t.Errorf("MaskParams (-want +got):\n%s", diff)
		}
		if !r.Hides("any") || !r.HidesParams() || !r.Finds("any") || r.Mask("any") != "[redacted]" || r.ArgParam("tool", "any") != "any" {
			t.Error("a value is said to be shown")
		}
	}
	for _, k := range []*Masker{nil, {}} {
		if diff := cmp.Diff(hidden, k.Params(params)); diff != "" || k.Text("O-12345") != "[redacted]" || k.Text("") != "" || k.Shows("O-12345", "O") {
			t.Errorf("Params (-want +got):\n%s", diff)
		}
	}
}

// FuzzMaskText looks for hidden values in what comes out, and masks it a second time.
func FuzzMaskText(f *testing.F) {
	f.Add("I am Ann Lee, 4111 1111 1111 1111", "Ann Lee", 12345.0)
	f.Add("{order_id} {name}x", "{name}", 0.0)
	f.Add("order {order_id}", "order", 1.0)
	f.Add("DE89370400440532013000+49 170 1234567", "0000", -3.5)
	f.Add("a{order_id{order_id}", "{order", 7.0)
	f.Add("***** **x*", "**x", 1e300)
	f.Add("\xff\x00\u202e", "\xff", 0.1)
	f.Add("４１１１／1111\u00a01111\u200b1111", "Ａｎｎ", 5.0)
	templates := []*phrase.Text{nil, phrase.MustText("***"), phrase.MustText("<{name}:1>"), phrase.MustText("")}
	f.Fuzz(func(t *testing.T, text, name string, number float64) {
		if len(text) > 500 || len(name) > 100 {
			t.Skip()
		}
		params := map[string]any{"name": name, "order_id": number, "note": text + name}
		for i, template := range templates {
			r := NewRedactor(agentWith(template))
			once := r.MaskText(text+" "+name+" "+text, params)
			if twice := r.MaskText(once, params); twice != once {
				t.Errorf("template %d: MaskText(%q) = %q, then %q", i, text, once, twice)
			}
			masked := r.MaskParams(params)
			if diff := cmp.Diff(masked, r.MaskParams(masked)); diff != "" {
				t.Errorf("template %d: MaskParams twice (-once +twice):\n%s", i, diff)
			}
			// The default masks stand between braces; a value without any cannot overlap one.
			if value := strings.TrimSpace(name); i == 0 && len(core(name)) >= minScrub && !strings.ContainsAny(value, "{}") {
				for _, token := range r.tokens {
					once = strings.ReplaceAll(once, token, "{}")
				}
				if strings.Contains(once, value) {
					t.Errorf("MaskText leaves %q in %q", value, once)
				}
			}
		}
	})
}
