package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// fillers are words by the name of their list.
type fillers map[string][]string

// readFillers reads lines of "name: word, word"; a name may come several times.
func readFillers() (fillers, error) {
	data, err := files.ReadFile("fillers.txt")
	if err != nil {
		return nil, fmt.Errorf("read fillers: %w", err)
	}
	out := fillers{}
	for line := range strings.Lines(string(data)) {
		name, words, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		out[name] = append(out[name], strings.Split(words, ", ")...)
	}
	return out, nil
}

// literal is a template without its fillers: all words that stand in it.
func literal(template string) string {
	var out strings.Builder
	depth := 0
	for _, r := range template {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		case '(', ')', '|':
			r = ' '
		}
		if depth == 0 && r != '}' {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// variants says how many samples a template is worth.
func variants(template string) int {
	n := 3
	for _, r := range template {
		switch r {
		case '|':
			n += 4
		case '{':
			n += 10
		}
	}
	return min(n, 120)
}

// fill draws one text from a template.
func (f fillers) fill(rng *rand.Rand, template string) string {
	var out strings.Builder
	for i := 0; i < len(template); {
		switch template[i] {
		case '(':
			if end := strings.IndexByte(template[i:], ')'); end > 0 {
				choices := strings.Split(template[i+1:i+end], "|")
				out.WriteString(f.fill(rng, choices[rng.IntN(len(choices))]))
				i += end + 1
				continue
			}
		case '{':
			if end := strings.IndexByte(template[i:], '}'); end > 0 {
				name := template[i+1 : i+end]
				list := f[name]
				if len(list) == 0 {
					panic("no filler is called " + name)
				}
				out.WriteString(f.fill(rng, list[rng.IntN(len(list))]))
				i += end + 1
				continue
			}
		}
		out.WriteByte(template[i])
		i++
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
