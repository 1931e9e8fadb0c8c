package canary

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strconv"
	"unicode/utf8"
)

// The shortest forms that are searched for, in letters and digits: shorter ones occur by chance.
const (
	minText   = 5
	minDigits = 7
	minBase64 = 8
)

// Set holds the values to search for. The zero value finds nothing.
type Set struct{ needles []needle }

// needle is one form of one value: its letters and digits in lower case.
type needle struct {
	text        []byte
	form, value string
}

// Hit is a value that was found, and the form it had.
type Hit struct{ Value, Form string }

// Add adds values. Values with fewer than 5 letters and digits are ignored.
func (s *Set) Add(values ...string) {
	for _, v := range values {
		s.add(v)
	}
}

func (s *Set) add(v string) {
	note := func(form, text string, least int) {
		if bare := strip(nil, []byte(text)); len(bare) >= least {
			s.needles = append(s.needles, needle{bare, form, v})
		}
	}
	note("plain", v, minText)
	note("reversed", reverse(v), minText)
	note("hex", hex.EncodeToString([]byte(v)), 2*minText)
	if digits := digitsOf(v); digits != v {
		note("digits", digits, minDigits)
	}
	for form, text := range map[string]string{"query": url.QueryEscape(v), "path": url.PathEscape(v)} {
		if text != v {
			note(form, text, minText)
		}
	}
	for form, enc := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64url": base64.RawURLEncoding} {
		for offset := range 3 {
			note(form, within(enc, v, offset), minBase64)
		}
	}
}

// within returns what is visible of v in base64 when it begins offset bytes after a multiple of three:
// the characters that hold only bits of v.
func within(enc *base64.Encoding, v string, offset int) string {
	const bits = 6
	whole := enc.EncodeToString(append(make([]byte, offset), v...))
	first, last := (offset*8+bits-1)/bits, (offset+len(v))*8/bits
	return whole[first:max(first, last)]
}

// Find returns the values in data, each form once.
func (s *Set) Find(data []byte) []Hit {
	var hits []Hit
	look := func(view []byte) {
		for _, n := range s.needles {
			if hit := (Hit{n.value, n.form}); bytes.Contains(view, n.text) && !slices.Contains(hits, hit) {
				hits = append(hits, hit)
			}
		}
	}
	look(strip(make([]byte, 0, len(data)), data))
	if bytes.IndexByte(data, '\\') >= 0 {
		look(strip(nil, unescape(data)))
	}
	return hits
}

// Longest is the length of the longest form without separators, in bytes: a search of a stream in
// parts lets the parts overlap by a multiple of it.
func (s *Set) Longest() int {
	most := 0
	for _, n := range s.needles {
		most = max(most, len(n.text))
	}
	return most
}

// strip appends the letters and digits of data, ASCII in lower case. Bytes beyond ASCII count as
// letters.
func strip(dst, data []byte) []byte {
	for _, c := range data {
		switch {
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c >= utf8.RuneSelf:
		default:
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// unescape undoes the escapes of JSON and of Go's quoted texts, at most three levels deep; any other
// backslash is dropped.
func unescape(data []byte) []byte {
	const deep = 3
	for range deep {
		if bytes.IndexByte(data, '\\') < 0 {
			break
		}
		data = unescapeOnce(data)
	}
	return data
}

func unescapeOnce(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' || i+1 == len(data) {
			out = append(out, data[i])
			continue
		}
		i++
		width := map[byte]int{'u': 4, 'x': 2}[data[i]]
		if width > 0 && i+width < len(data) {
			if r, err := strconv.ParseUint(string(data[i+1:i+1+width]), 16, 32); err == nil {
				out = utf8.AppendRune(out, rune(r))
				i += width
				continue
			}
		}
		switch data[i] {
		case 'n', 'r', 't', 'b', 'f':
			out = append(out, ' ')
		default:
			out = append(out, data[i])
		}
	}
	return out
}

func digitsOf(v string) string {
	var out []byte
	for i := range len(v) {
		if '0' <= v[i] && v[i] <= '9' {
			out = append(out, v[i])
		}
	}
	return string(out)
}

func reverse(v string) string {
	runes := []rune(v)
	slices.Reverse(runes)
	return string(runes)
}
