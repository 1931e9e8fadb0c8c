package main

import "testing"

func TestTokenCounter(t *testing.T) {
	for name, want := range map[string]int{"": 4, "estimate": 4, "cl100k_base": 4, "o200k_base": 4} {
		count, err := tokenCounter(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := count("O-12345"); got != want {
			t.Errorf("%q counts %d tokens in an order number, want %d", name, got, want)
		}
	}
	if _, err := tokenCounter("words"); err == nil {
		t.Error("an unknown encoding is taken")
	}
}
