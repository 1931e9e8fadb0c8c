package main

import (
	"go/parser"
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const original = `package p

const size = 3

func f(a, b int, ok bool) bool {
	if a < b && !ok {
		g("x" + h())
		return true
	}
	for i := range 3 {
		a += i - 1
	}
	return a == b
}
`

// Every change is one of the kinds that are promised, and leaves a file that can be read.
func TestSites(t *testing.T) {
	sites, err := sitesOf("p.go", []byte(original))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range sites {
		m := mutant{s, "p", []byte(original)}
		text, _, err := withMutants("p.go", m.source, map[int]site{7: m.site})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0); err != nil {
			t.Errorf("%s: %v", m.describe(), err)
		}
		got = append(got, original[s.begin:s.end]+" -> "+s.text)
	}
	want := []string{
		"a < b && !ok -> !(a < b && !ok)", "&& -> ||", "< -> <=", "! -> ", `g("x" + h()) -> `, "true -> false", "3 -> 4", "- -> +", "1 -> 2", "== -> !=",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDescribe(t *testing.T) {
	sites, err := sitesOf("p.go", []byte(original))
	if err != nil {
		t.Fatal(err)
	}
	m := mutant{sites[len(sites)-1], "p", []byte(original)}
	if want := "p/p.go:13\n   - return a == b\n   + return a != b"; m.describe() != want {
		t.Errorf("%q, want %q", m.describe(), want)
	}
}
