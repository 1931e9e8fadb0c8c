package diagram

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// An SVG is well-formed whatever the texts are, has a title and a description, and shows every node.
func TestSVGIsWellFormed(t *testing.T) {
	d := &Diagram{
		ID: "d", Title: `a "title" & <b>`, Caption: "caption \x07",
		Nodes: []*Node{
			{ID: "a", Shape: Start, Text: `<script>alert("a")</script>`},
			{ID: "b", Shape: Question, Text: "bell\a and \x1b[2J", Detail: "]]>", Title: "whole\x00", Attrs: []Attr{{"step", `x"y`}}},
			{ID: "c", Shape: End},
		},
		Edges: []*Edge{{From: "a", To: "b", Label: "<yes>", Way: Yes}, {From: "b", To: "c", Way: Next}, {From: "b", To: "a", Way: Again, Label: "again"}},
	}
	var out bytes.Buffer
	if err := SVG(&out, "all & more", []*Diagram{d, {ID: "e", Title: "e", Nodes: []*Node{{ID: "a", Shape: Start, Text: "alone"}}}}); err != nil {
		t.Fatal(err)
	}
	count, text := map[string]int{}, ""
	for dec := xml.NewDecoder(&out); ; {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch el := token.(type) {
		case xml.StartElement:
			count[el.Name.Local]++
			for _, a := range el.Attr {
				if a.Name.Local == "class" {
					count["."+strings.Fields(a.Value)[0]]++
				}
			}
		case xml.CharData:
			text += string(el)
		}
	}
	for what, want := range map[string]int{"svg": 1, "desc": 1, "title": 2, "script": 0, ".node": 4, ".edge": 3, ".label": 2} {
		if count[what] != want {
			t.Errorf("%d of %s, want %d", count[what], what, want)
		}
	}
	for _, want := range []string{`<script>alert("a")</script>`, `\u0007`, "alone"} {
		if !strings.Contains(text, want) {
			t.Errorf("no text %q", want)
		}
	}
}
