package replay

import (
	"fmt"
	"strings"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/router"
	"github.com/slotway/slotway/router/telemetry"
)

// understood is how a turn's message was understood.
type understood struct {
	chosen, others []telemetry.Reading
	unheard        []router.Unheard
}

// rule compares the name of a performed reading.
func (e Expectation) rule(how understood) (want, have any) {
	want = e.node.Value()
	for i, r := range how.chosen {
		if i == 0 || r.Rule == want {
			have = r.Rule
		}
	}
	return want, have
}

// options compares the titles of the suggested messages.
func (e Expectation) options(reply *router.Reply) (want, have any) {
	titles := []any{}
	for _, o := range reply.Options {
		titles = append(titles, o.Title)
	}
	return e.list(), titles
}

// unheard compares the parts that the turn did nothing about: their texts, or a map with told if
// the file has one.
func (e Expectation) unheard(how understood) (want, have any) {
	left, items := []any{}, e.node.Items()
	for i, u := range how.unheard {
		if i < len(items) && items[i].Kind() == source.KindMap {
			left = append(left, map[string]any{"text": u.Text, "told": u.Told})
		} else {
			left = append(left, u.Text)
		}
	}
	return e.list(), left
}

// list returns the expected list. Its texts count as they are written, so that a bare Yes is a
// text. null stands for an empty list.
func (e Expectation) list() []any {
	want := []any{}
	for _, item := range e.node.Items() {
		if item.Kind() == source.KindMap {
			want = append(want, item.Value())
		} else {
			want = append(want, item.Text())
		}
	}
	return want
}

// why says how a message was understood, as an explanation of a failure; "" if that is not known.
func (how understood) why() string {
	if len(how.chosen) == 0 && len(how.others) == 0 && len(how.unheard) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("taken by: " + readings(how.chosen))
	if len(how.others) > 0 {
		b.WriteString("; not by: " + readings(how.others))
	}
	for i, u := range how.unheard {
		sign := "; unheard: "
		if i > 0 {
			sign = ", "
		}
		fmt.Fprintf(&b, "%s%q", sign, u.Text)
	}
	return b.String()
}

func readings(list []telemetry.Reading) string {
	told := make([]string, len(list))
	for i := range list {
		told[i] = list[i].String()
	}
	if len(told) == 0 {
		return "no rule"
	}
	return strings.Join(told, ", then ")
}
