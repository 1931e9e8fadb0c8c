package telemetry

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strconv"
	"strings"
)

const (
	redacted   = "[redacted]" // what stands for a value in a scrubbed text
	maxScrub   = 512          // bytes of a scrubbed text
	minScrub   = 3            // code points of the shortest value that is looked for
	minBase64  = 6            // characters of the shortest base64 part that is looked for
	base64Bits = 6            // bits in one base64 character
)

// Scrubbed is a text without known param values. Only [Scrub] and [ScrubError] make one; the zero
// value is the empty text.
type Scrubbed struct{ text string }

// String returns the text without the values.
func (s Scrubbed) String() string { return s.text }

// Scrub replaces every one of values in text by [redacted]: in any case, and also its digits alone or
// its form in a URL, in base64, in hexadecimal or in quotes. Values of fewer than 3 visible code points
// are ignored: they would hollow out any text. Values are valid UTF-8, as everything in JSON is; text
// may be anything.
//
// Control and format characters become spaces, and text beyond 512 bytes is cut, never within a value.
func Scrub(text string, values []string) Scrubbed {
	var m matcher
	for _, v := range values {
		if len(core(v)) >= minScrub {
			addScrubForms(&m, v)
		}
	}
	return Scrubbed{text: cutOut(text, m.spans(text))}
}

// cutOut replaces the spans of text by their labels and cuts it at the limit of a scrubbed text.
func cutOut(text string, spans []span) string {
	var out strings.Builder
	for at, r := range text {
		add := string(visible(r))
		for len(spans) > 0 && at >= spans[0].end {
			spans = spans[1:]
		}
		if len(spans) > 0 && at >= spans[0].start {
			add = ""
			if at == spans[0].start {
				add = spans[0].label
			}
		}
		if out.Len()+len(add) > maxScrub {
			break
		}
		out.WriteString(add)
	}
	return out.String()
}

// ScrubError scrubs the error's text; nil is the empty text.
func ScrubError(err error, values []string) Scrubbed {
	if err == nil {
		return Scrubbed{}
	}
	return Scrub(err.Error(), values)
}

// addScrubForms adds the forms of v that an error's text may hold.
func addScrubForms(m *matcher, v string) {
	m.addValue(v, minScrub, nil, redacted)
	m.add(form{runes: folded(url.QueryEscape(v)), label: redacted})
	m.add(form{runes: folded(url.PathEscape(v)), label: redacted})
	m.add(form{runes: folded(hex.EncodeToString([]byte(v))), label: redacted})
	for _, quoted := range []string{strconv.Quote(v), strconv.QuoteToASCII(v)} {
		m.add(form{runes: folded(quoted[1 : len(quoted)-1]), label: redacted})
	}
	for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		m.add(form{runes: folded(enc.EncodeToString([]byte(v))), label: redacted})
		for offset := range 3 {
			if part := base64Within(enc, v, offset); len(part) >= minBase64 {
				m.add(form{runes: folded(part), label: redacted})
			}
		}
	}
}

// base64Within returns what is always visible of v when it is encoded as a part of something longer
// and begins offset bytes after a multiple of three: the characters that hold only bits of v.
func base64Within(enc *base64.Encoding, v string, offset int) string {
	whole := enc.EncodeToString(append(make([]byte, offset), v...))
	first := (offset*8 + base64Bits - 1) / base64Bits
	last := (offset + len(v)) * 8 / base64Bits
	return whole[first:max(first, last)]
}

// Values returns every scalar in params, including those in lists and maps, for Scrub. It leaves out
// booleans, which reveal nothing and occur everywhere.
func Values(params map[string]any) []string {
	var values []string
	for _, v := range params {
		values = appendScalars(values, v)
	}
	return values
}

// appendScalars adds the texts and numbers of a JSON value. Whole numbers have no exponent, as people
// and templates write them.
func appendScalars(values []string, v any) []string {
	switch v := v.(type) {
	case string:
		return append(values, v)
	case float64:
		return append(values, strconv.FormatFloat(v, 'f', -1, 64))
	case []any:
		for _, element := range v {
			values = appendScalars(values, element)
		}
	case map[string]any:
		for _, element := range v {
			values = appendScalars(values, element)
		}
	}
	return values
}

// digitsOf keeps the decimal digits of s.
func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}
