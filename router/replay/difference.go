package replay

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
)

// difference returns the lines in which two JSON values differ: "-" begins what is wanted, "+" what
// is there, and a space what both have. "" says that they are equal.
func difference(want, have any) string {
	if cmp.Equal(want, have) {
		return ""
	}
	var out strings.Builder
	line := func(mark, text string) { out.WriteString(mark + " " + text + "\n") }
	w, h := object(want), object(have)
	if w != nil && h != nil {
		for _, key := range slices.Sorted(maps.Keys(merged(w, h))) {
			pair(line, w, h, key)
		}
		return out.String()
	}
	wanted, wantsList := want.([]any)
	there, hasList := have.([]any)
	if wantsList && hasList {
		apart(line, texts(wanted), texts(there))
		return out.String()
	}
	line("-", text(want))
	line("+", text(have))
	return out.String()
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

func merged(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// pair writes an entry of two objects.
func pair(line func(mark, text string), want, have map[string]any, key string) {
	w, wanted := want[key]
	h, there := have[key]
	if wanted && there && cmp.Equal(w, h) {
		line(" ", key+": "+text(w))
		return
	}
	if wanted {
		line("-", key+": "+text(w))
	}
	if there {
		line("+", key+": "+text(h))
	}
}

// apart writes the items of two lists, with those that both have in order once.
func apart(line func(mark, text string), want, have []string) {
	common := make([][]int, len(want)+1) // the most common items of what follows
	for i := range common {
		common[i] = make([]int, len(have)+1)
	}
	for i := len(want) - 1; i >= 0; i-- {
		for j := len(have) - 1; j >= 0; j-- {
			if want[i] == have[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	if len(want) == 0 {
		line("-", "nothing")
	}
	i, j := 0, 0
	for i < len(want) || j < len(have) {
		switch {
		case i < len(want) && j < len(have) && want[i] == have[j]:
			line(" ", want[i])
			i, j = i+1, j+1
		case j == len(have) || (i < len(want) && common[i+1][j] >= common[i][j+1]):
			line("-", want[i])
			i++
		default:
			line("+", have[j])
			j++
		}
	}
	if len(have) == 0 {
		line("+", "nothing")
	}
}

func texts(list []any) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = text(v)
	}
	return out
}

// text is a value as JSON in one line.
func text(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return "a value that JSON has not"
	}
	return strings.TrimSuffix(b.String(), "\n")
}
