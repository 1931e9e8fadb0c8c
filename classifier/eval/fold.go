package eval

import "strings"

// assign gives each of n items its fold, in [0,k). The items of a label are cut into k
// blocks of neighbours: every fold has its share of every label, and what one author wrote
// in one go, which is much alike, stays together. (On CLINC150 blocks of the training file
// predict the accuracy on the development file to 0.3 points, and what a threshold costs
// there to 0.4; dealt out one by one they promise 3 points too much and half the cost.)
// With single they are dealt out one by one all the same: then each is missed by itself.
// Items of a label that differ only in case and space stay together wherever they are. It
// depends on nothing but the items.
func assign(n, k int, single bool, item func(int) (label, text string)) []int {
	type key struct{ label, text string }
	type place struct{ label, nth int }
	number := map[string]int{} // labels, in the order of their first items
	var sizes []int            // by label: different items
	seen := map[key]place{}
	places := make([]place, n)
	for i := range n {
		label, text := item(i)
		id := key{label, strings.ToLower(strings.Join(strings.Fields(text), " "))}
		at, ok := seen[id]
		if !ok {
			l, known := number[label]
			if !known {
				l = len(number)
				number[label] = l
				sizes = append(sizes, 0)
			}
			at = place{l, sizes[l]}
			seen[id] = at
			sizes[l]++
		}
		places[i] = at
	}
	folds := make([]int, n)
	for i, at := range places {
		block := at.nth * k / sizes[at.label]
		if single {
			block = at.nth
		}
		folds[i] = (block + at.label) % k // labels begin at different folds, or small ones would crowd the first
	}
	return folds
}
