package extract

import (
	"regexp"
	"testing"

	"github.com/slotway/slotway/config"
)

// desk is an agent of ids and codes of several shapes.
func desk() *config.Agent {
	a := &config.Agent{Params: map[string]*config.Param{}}
	add := func(name, label string, t *config.Type) {
		t.Name = name
		a.Params[name] = &config.Param{Name: name, Label: label, Type: t}
	}
	add("parcel_id", "parcel number", &config.Type{
		Patterns: []*regexp.Regexp{regexp.MustCompile(`(?i)(?:^|\W)(O-?\d{5})\b`)}, Bare: regexp.MustCompile(`^(?:(?:[Oo]-?)?\d{5})$`),
		Normalize: []config.Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "O-"}},
	})
	add("case_id", "support case", &config.Type{
		Patterns: []*regexp.Regexp{regexp.MustCompile(`(?i)\b(CAS-?\d{4})\b`)}, Bare: regexp.MustCompile(`^(?i:(?:CAS-?)?\d{4})$`),
		Normalize: []config.Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "CAS-"}},
	})
	add("invoice", "invoice", &config.Type{
		Patterns: []*regexp.Regexp{regexp.MustCompile(`\bIN-?\d{4}\b`)}, Bare: regexp.MustCompile(`^\d{4}$`),
		Normalize: []config.Normalizer{{Op: "digits"}, {Op: "prefix", Arg: "IN-"}},
	})
	add("locator", "booking code", &config.Type{Patterns: []*regexp.Regexp{regexp.MustCompile(`\b([A-Z0-9]{6})\b`)}, Bare: regexp.MustCompile(`^(?i:[a-z0-9]{6})$`)})
	add("phone", "phone", &config.Type{Builtin: "phone"})
	add("bags", "number of bags", &config.Type{Builtin: "integer"})
	add("address", "address", &config.Type{Builtin: "text"})
	return a
}

// TestCodes: a code is read as it is said and typed, and what only looks like one is not.
func TestCodes(t *testing.T) {
	checkHeard(t, New(desk(), nil), []heardCase{
		{"parcel_id", "two zero zero seven five", "parcel_id", "O-20075"},
		{"parcel_id", "oh two zero zero seven five please", "parcel_id", "O-20075"},
		{"parcel_id", "uh it's two double zero seven five", "parcel_id", "O-20075"},
		{"parcel_id", "twenty oh seventy-five", "parcel_id", "O-20075"},
		{"parcel_id", "2-0-0-7-5", "parcel_id", "O-20075"},
		{"parcel_id", "20 075", "parcel_id", "O-20075"},
		{"parcel_id", "O 20 075", "parcel_id", "O-20075"},
		{"parcel_id", "0-20075", "parcel_id", "O-20075"},
		{"parcel_id", "O-2OO75", "parcel_id", "O-20075"},
		{"", "where is O-2\u200b0075?", "parcel_id", "O-20075"},
		{"", "where is o two zero zero seven five?", "parcel_id", "O-20075"},
		{"", "track parcel 20075", "parcel_id", "O-20075"},
		{"", "status of parc # 20075 thx", "parcel_id", "O-20075"},
		{"", "my parcel, the number is 2 0 0 7 5", "parcel_id", "O-20075"},
		{"", "number 20075", "parcel_id", "O-20075"},
		{"", "no. 20075", "parcel_id", "O-20075"},
		{"", "support case 1042 is open", "case_id", "CAS-1042"},
		{"", "case 1042 2 days ago", "case_id", "CAS-1042"},
		{"", "cas 10 42", "case_id", "CAS-1042"},
		{"case_id", "one zero four two", "case_id", "CAS-1042"},
		{"case_id", "CAS - 10 - 42", "case_id", "CAS-1042"},
		{"locator", "x k 4 2 l p", "locator", "XK42LP"},
		{"", "the booking code is x k four two l p", "locator", "XK42LP"},

		{"", "20075", "parcel_id", ""},
		{"", "no 20075", "parcel_id", ""},
		{"", "my phone number is 20075", "parcel_id", ""},
		{"", "house number 1042", "case_id", ""},
		{"", "20075 dollars", "parcel_id", ""},
		{"", "two of us, zero bags, seven days", "parcel_id", ""},
		{"", "booking code please", "locator", ""},
		{"", "it was in 2026", "invoice", ""},
		{"invoice", "that was back in 2026", "invoice", ""},
		{"address", "number 20075 Main St", "parcel_id", ""},
		{"address", "o two zero zero seven five", "parcel_id", ""},
		{"parcel_id", "on 12-05-202", "parcel_id", ""},
		{"parcel_id", "two zero zero", "parcel_id", ""},
		{"parcel_id", "541-754-3010", "parcel_id", ""},
		{"case_id", "12-05-2026", "case_id", ""},
		{"phone", "number 20075", "parcel_id", ""},
		{"bags", "number 20075", "parcel_id", ""},
		{"", "parcel zero", "parcel_id", ""},
		{"", "case 10 4 2 11 9", "case_id", ""},
		{"", "parcel 20075", "bags", ""},
	})
}
