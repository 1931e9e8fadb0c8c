package canary

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestFind: however a value is written, it is found, and its neighbours are not.
func TestFind(t *testing.T) {
	const value, number = "Grünwald Quixotl & Söhne", "O-904177315"
	quoted, err := json.Marshal("a" + value + "\n" + value)
	if err != nil {
		t.Fatal(err)
	}
	wrapped := regexp.MustCompile(`.{9}`).ReplaceAllString(base64.StdEncoding.EncodeToString([]byte("xy"+value+"z")), "$0\r\n")
	tests := map[string]string{
		"plain": value, "upper": strings.ToUpper("O-904177315"), "json": string(quoted),
		"ascii json": strconv.QuoteToASCII(value), "twice": strconv.Quote(strconv.Quote("x\n" + value)),
		"query": url.QueryEscape(value), "path": url.PathEscape(value), "hex": hex.EncodeToString([]byte("ab" + value)),
		"base64 0": base64.StdEncoding.EncodeToString([]byte(value)), "base64 1": base64.StdEncoding.EncodeToString([]byte("a" + value)),
		"base64 2": base64.URLEncoding.EncodeToString([]byte("aa" + value + "bb")), "wrapped": wrapped,
		"lines": "904\n177\n315", "spaced": "9 0 4 1 7 7 3 1 5", "reversed": "513771409-O", "digits": "no. 904177315",
	}
	var s Set
	s.Add(value, number)
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			if len(s.Find([]byte("before "+text+" after"))) == 0 {
				t.Errorf("nothing is found in %q", text)
			}
		})
	}
	for _, text := range []string{"", "Grünwald", "O-904177316", "904177 x 315", `\u00`, `\`, "Quixotl Söhne"} {
		if got := s.Find([]byte(text)); len(got) > 0 {
			t.Errorf("%q: found %v", text, got)
		}
	}
}

// TestFindAnywhere: a value within anything is found, as it is and in base64.
func TestFindAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.StringMatching(`[A-Za-z0-9]{8,20}`).Draw(t, "value")
		before, after := rapid.String().Draw(t, "before"), rapid.String().Draw(t, "after")
		var s Set
		s.Add(value)
		for _, text := range []string{before + value + after, base64.StdEncoding.EncodeToString([]byte(before + value + after))} {
			if len(s.Find([]byte(text))) == 0 {
				t.Errorf("%q is not found in %q", value, text)
			}
		}
	})
}
