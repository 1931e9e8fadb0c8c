package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAgrees(t *testing.T) {
	for _, c := range []struct {
		name     string
		got      any
		accepted []string
		want     bool
	}{
		{"the same", "Lindau", []string{"Lindau"}, true},
		{"case and punctuation", "sea-robin!", []string{"Sea Robin"}, true},
		{"an article at the head", "the Heron", []string{"Heron"}, true},
		{"another spelling", "Konstanz", []string{"Constance", "konstanz"}, true},
		{"more words", "Lindau harbor", []string{"Lindau"}, false},
		{"a number", 3.0, []string{"three", "3"}, true},
		{"another number", 3.0, []string{"4"}, false},
		{"an amount", "1630.00 USD", []string{"1630"}, true},
		{"a day written out", "2019-03-04", []string{"March 4, 2019"}, true},
		{"a day before the month", "1998-03-25", []string{"25/03/1998"}, true},
		{"a time in words", "15:00", []string{"3 pm"}, true},
		{"another time", "15:00", []string{"4 pm"}, false},
		{"truth", true, []string{"Yes"}, true},
		{"untruth", false, []string{"Yes"}, false},
		{"a list of one", []any{"A"}, []string{"a"}, true},
		{"nothing", nil, []string{"A"}, false},
		{"nothing accepted", "A", nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := agrees(c.got, c.accepted); got != c.want {
				t.Errorf("agrees(%v, %q) = %v, want %v", c.got, c.accepted, got, c.want)
			}
		})
	}
}

func TestNormal(t *testing.T) {
	deck := &param{kind: "enum", values: []enumValue{{"open", nil}, {"covered", nil}}}
	for _, c := range []struct {
		name     string
		p        *param
		accepted []string
		want     any
	}{
		{"integer", &param{kind: "integer"}, []string{"two", "2"}, 2.0},
		{"money", &param{kind: "money"}, []string{"$1,250"}, "1250.00 USD"},
		{"date in normal form", &param{kind: "date"}, []string{"next Monday", "2019-03-04"}, "2019-03-04"},
		{"date in words", &param{kind: "date"}, []string{"tomorrow"}, "2019-03-02"},
		{"enumeration", deck, []string{"Covered"}, "covered"},
		{"not of the enumeration", deck, []string{"dontcare"}, nil},
		{"text", &param{kind: "text"}, []string{"Sea Robin"}, "Sea Robin"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := c.p.normal(c.accepted, sgdClock)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("normal(%q) (-want +got):\n%s", c.accepted, diff)
			}
		})
	}
}

func TestSnake(t *testing.T) {
	for in, want := range map[string]string{
		"FindBoat": "find_boat", "PIN": "pin", "DateOfBirth": "date_of_birth", "amount-of-money": "amount_of_money",
		"Boats_1": "boats_1", "GetCDPrice": "get_cd_price", "id": "id",
	} {
		if got := snake(in); got != want {
			t.Errorf("snake(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestMine(t *testing.T) {
	roof, sun := map[string]string{"deck": "covered"}, map[string]string{"deck": "open"}
	texts := []informed{
		{"a boat with a roof", roof, nil},
		{"one that has a roof please", roof, nil},
		{"roof over the head", roof, nil},
		{"a boat in the sun", sun, nil},
		{"the sun shall shine on 4 rowers", sun, nil},
		{"sun and a boat", sun, nil},
		{"is there a roof?", nil, []string{"deck"}}, // asks, gives nothing
		{"a boat for tomorrow", nil, nil},
		{"any boat", nil, nil},
	}
	texts = append(texts, texts...) // a phrase counts from the sixth time on
	got := mine(texts, "deck", []string{"open", "covered"})
	want := map[string][]string{"covered": {"roof"}, "open": {"sun"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mined synonyms (-want +got):\n%s", diff)
	}
}

func TestLocate(t *testing.T) {
	for _, c := range []struct {
		name, text string
		spellings  []string
		start, end int
		ok         bool
	}{
		{"once", "for three rowers", []string{"3", "three"}, 4, 9, true},
		{"twice", "three or three", []string{"three"}, 0, 0, false},
		{"inside a word", "threefold", []string{"three"}, 0, 0, false},
		{"the longer of two that overlap", "with a tin roof", []string{"roof", "tin roof"}, 7, 15, true},
		{"code points", "Zürich für zwei: two", []string{"two"}, 17, 20, true},
		{"nowhere", "none", []string{"two"}, 0, 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			start, end, ok := locate(c.text, c.spellings)
			if start != c.start || end != c.end || ok != c.ok {
				t.Errorf("locate(%q, %q) = %d, %d, %v, want %d, %d, %v", c.text, c.spellings, start, end, ok, c.start, c.end, c.ok)
			}
		})
	}
}
