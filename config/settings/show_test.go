package settings

import (
	"fmt"
	"strings"
	"testing"
)

func TestShowURL(t *testing.T) {
	for text, want := range map[string]string{
		"":                                              "",
		"~/.slotway/memory.db":                          "~/.slotway/memory.db",
		"http://127.0.0.1:11434/v1":                     "http://127.0.0.1:11434/v1",
		"https://u:s3cret@h.example/v1":                 "https://***@h.example/v1",
		"https://s3cret@h.example":                      "https://***@h.example",
		"https://u:s3c@ret@h.example/a@b":               "https://***@h.example/a@b",
		"https://h.example/v1?api_key=s3cret&x=1":       "https://h.example/v1?api_key=***&x=***",
		"https://h.example?s3cret":                      "https://h.example?***",
		"https://h.example/a#s3cret":                    "https://h.example/a#***",
		"https://u:s3%zzcret@h.example/":                "https://***",
		"postgres://u:s3cret@h:5432/db?sslmode=disable": "postgres://***@h:5432/db?sslmode=***",
	} {
		if got := showURL(text); got != want {
			t.Errorf("showURL(%q) = %q, want %q", text, got, want)
		}
	}
}

// No setting that takes a URL shows or quotes a credential in it.
func TestSettingsShowNoCredential(t *testing.T) {
	const secret = "s3cret"
	over := map[string]string{}
	for _, r := range Default().rows() {
		if _, text := r.field.(*string); text && r.oneOf == nil {
			over[r.path] = "https://user:" + secret + "@h.example/v1?key=" + secret
		}
	}
	shown := 0
	for path, value := range over { // one at a time: some exclude each other
		s, err := Load("", []string{"HOME=/h"}, map[string]string{path: value})
		if err != nil {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		for _, v := range s.Values() {
			if text := fmt.Sprint(v.Value); v.Path == path {
				shown++
				if strings.Contains(text, secret) {
					t.Errorf("%s is shown as %s", path, text)
				}
			}
		}
	}
	if shown < 8 {
		t.Errorf("%d settings were shown: this test cannot fail", shown)
	}
	for _, list := range []string{"server.cors", "tools.allow_hosts"} {
		_, err := Load("", []string{"HOME=/h"}, map[string]string{list: "https://user:" + secret + "@h.example"})
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", list, err)
		}
	}
}
