package config

import (
	"slices"
	"strconv"
	"testing"
)

// A loop over the params sees what the list of them has, also when there are more than usual and
// when a group repeats one.
func TestEachParam(t *testing.T) {
	for _, n := range []int{0, 1, usualParams, 2 * usualParams} {
		in := &Intent{}
		for i := range n {
			p := &Param{Name: "p" + strconv.Itoa(i)}
			in.Required, in.OneOf = append(in.Required, p), append(in.OneOf, []*Param{p, {Name: "either"}})
		}
		want := in.AllParams()
		if got := slices.Collect(in.EachParam); !slices.Equal(got, want) {
			t.Errorf("%d params: %d, want %d", n, len(got), len(want))
		}
		for range in.EachParam {
			break // a loop may end early
		}
		if n > 0 && n <= usualParams-1 && testing.AllocsPerRun(10, func() {
			for range in.EachParam {
				continue
			}
		}) > 0 {
			t.Error("a loop allocates")
		}
	}
}
