package replay

import "testing"

func TestDifference(t *testing.T) {
	type m = map[string]any
	type l = []any
	for _, c := range []struct {
		want, have any
		lines      string
	}{
		{"a", "a", ""},
		{"Is it <so>?", "It is.", "- \"Is it <so>?\"\n+ \"It is.\"\n"},
		{nil, "zip", "- null\n+ \"zip\"\n"},
		{m{"a": 1.0, "b": "x"}, m{"a": 2.0, "b": "x", "c": nil}, "- a: 1\n+ a: 2\n  b: \"x\"\n+ c: null\n"},
		{m{"a": nil}, m{}, "- a: null\n"},
		{l{"look", "book"}, l{"look", "tell", "book"}, "  \"look\"\n+ \"tell\"\n  \"book\"\n"},
		{l{"look"}, l{}, "- \"look\"\n+ nothing\n"},
		{l{}, l{m{"a": 1.0}}, "- nothing\n+ {\"a\":1}\n"},
		{l{}, m{}, "- []\n+ {}\n"},
	} {
		if got := difference(c.want, c.have); got != c.lines {
			t.Errorf("%v and %v differ in\n%s\nwant\n%s", c.want, c.have, got, c.lines)
		}
	}
}
