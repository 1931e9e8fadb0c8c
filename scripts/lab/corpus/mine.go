package main

import (
	"slices"
	"strings"
	"unicode"
)

// informed is a training utterance with the values that it gave, in whatever words.
type informed struct {
	text    string
	given   map[string]string // by param: the value
	queried []string          // params that it asks about
}

// Limits of a mined synonym: how often it occurs; its purity, the share of one value among the
// values it occurs with, plus one other (so that six without another suffice); and how many of the
// utterances with it give a value.
const (
	minSightings = 6
	minPurity    = 0.85
	minGiving    = 0.7
	longestGram  = 3
)

// mine finds phrases that occur with only one value of a param: its synonyms. It leaves out a
// phrase that contains a shorter one of the same value.
func mine(texts []informed, name string, values []string) map[string][]string {
	seen, with := map[string]int{}, map[string]map[string]int{}
	for _, t := range texts {
		v := t.given[name]
		if v == "" && slices.Contains(t.queried, name) {
			continue // "does it have a pool?" asks, "with a pool" gives
		}
		for g := range grams(t.text) {
			seen[g]++
			if v == "" {
				continue
			}
			if with[g] == nil {
				with[g] = map[string]int{}
			}
			with[g][v]++
		}
	}
	found := map[string][]string{}
	for g, byValue := range with {
		giving := 0
		for _, n := range byValue {
			giving += n
		}
		for v, n := range byValue {
			pure := float64(n)/float64(giving+1) >= minPurity && float64(giving)/float64(seen[g]) >= minGiving
			if n >= minSightings && pure && slices.Contains(values, v) {
				found[v] = append(found[v], g)
			}
		}
	}
	for v, list := range found {
		found[v] = minimal(list, values)
	}
	return found
}

// minimal drops the phrases that contain a shorter one, and the values themselves.
func minimal(list, values []string) []string {
	slices.SortFunc(list, func(a, b string) int {
		if d := strings.Count(a, " ") - strings.Count(b, " "); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var kept []string
	for _, g := range list {
		holds := func(short string) bool { return strings.Contains(" "+g+" ", " "+strings.ToLower(short)+" ") }
		if !slices.ContainsFunc(kept, holds) && !slices.ContainsFunc(values, holds) {
			kept = append(kept, g)
		}
	}
	return kept
}

// grams returns the distinct phrases of up to three words that neither begin nor end with a word
// without content.
func grams(text string) map[string]bool {
	w := wordsOf(text)
	out := map[string]bool{}
	for i := range w {
		for n := 1; n <= longestGram && i+n <= len(w); n++ {
			if figured(w[i+n-1]) {
				break // a number is the value of something else
			}
			if !empty[w[i]] && !empty[w[i+n-1]] {
				out[strings.Join(w[i:i+n], " ")] = true
			}
		}
	}
	return out
}

// figured reports whether a word is a number in digits or letters.
func figured(word string) bool {
	return numerals[word] != "" || strings.ContainsFunc(word, unicode.IsDigit)
}

// wordsOf returns the words of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '-'
	})
}

// empty holds words that say nothing about a value: function words, courtesies, answers.
var empty = func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(`a an the i i'd i'm i'll i've me my mine we we're our us you your he him his she her it it's its they them their
		is am are was were be been being do does did have has had will would can could should shall may might must let let's
		to of for in on at by with from into about as and or but so if then than that this these those there here
		not no yes yeah yep ok okay sure right correct please thanks thank great good fine perfect well hi hello hey just only also too
		want need needs needed love having like looking look find get make book what which who when where why how any some all one more`) {
		set[w] = true
	}
	return set
}()

// numerals holds the number words up to twelve, which mark values of an integer.
var numerals = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
	"nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}

// locate finds the only place where a value is spelled in a text, in code points. ok is false if
// there is none or more than one.
func locate(text string, spellings []string) (start, end int, ok bool) {
	low := []rune(strings.ToLower(text))
	for _, s := range spellings {
		want := []rune(strings.ToLower(s))
		for i := 0; i+len(want) <= len(low); i++ {
			if !slices.Equal(low[i:i+len(want)], want) || !edge(low, i-1) || !edge(low, i+len(want)) {
				continue
			}
			if ok && i < end && start < i+len(want) {
				start, end = min(start, i), max(end, i+len(want))
				continue
			}
			if ok {
				return 0, 0, false
			}
			start, end, ok = i, i+len(want), true
		}
	}
	return start, end, ok
}

// edge reports whether a position is outside of a word.
func edge(text []rune, i int) bool {
	return i < 0 || i >= len(text) || !unicode.IsLetter(text[i]) && !unicode.IsDigit(text[i])
}
