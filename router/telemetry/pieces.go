package telemetry

import "strings"

// piece is a part of a text: a mask or what stands between masks.
type piece struct {
	text  string
	token bool
}

// split cuts text at the masks in it.
func (r *Redactor) split(text string) []piece {
	var pieces []piece
	start := 0
	for at := 0; at < len(text); {
		token := r.tokenAt(text[at:])
		if token == "" {
			at++
			continue
		}
		pieces = append(pieces, piece{text: text[start:at]}, piece{text: token, token: true})
		at += len(token)
		start = at
	}
	return append(pieces, piece{text: text[start:]})
}

// tokenAt is the longest mask that text begins with, or "".
func (r *Redactor) tokenAt(text string) string {
	for _, token := range r.tokens {
		if strings.HasPrefix(text, token) {
			return token
		}
	}
	return ""
}

// spans are the finds of the rule with its mask as their label.
func (r rule) spans(text string) []span {
	found := r.find(text)
	for i := range found {
		found[i].label = r.mask
	}
	return found
}

// replaceIn turns what find gives in the parts that are no masks into masks.
func replaceIn(pieces []piece, find func(string) []span) []piece {
	var out []piece
	for _, p := range pieces {
		if p.token {
			out = append(out, p)
			continue
		}
		start := 0
		for _, s := range find(p.text) {
			out = append(out, piece{text: p.text[start:s.start]}, piece{text: s.label, token: true})
			start = s.end
		}
		out = append(out, piece{text: p.text[start:]})
	}
	return out
}
