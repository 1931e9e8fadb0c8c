package tokenizer

import (
	"bytes"
	"compress/flate"
	"embed"
	"errors"
	"fmt"
	"io"
)

// packed holds the vocabularies, made by the test TestVocabularies: the tokens in the order of their
// ranks, each after its length in one byte, compressed.
//
//go:embed *.bin
var packed embed.FS

var errVocabulary = errors.New("the vocabulary in this program is damaged")

// vocabulary unpacks one.
func vocabulary(name string) (map[string]uint32, error) {
	data, err := packed.ReadFile(name + ".bin")
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", name, err)
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w: %w", name, errVocabulary, err)
	}
	all := string(text) // the tokens are parts of it
	count := 0
	for at := 0; at < len(all); at += 1 + int(all[at]) {
		count++
	}
	ranks := make(map[string]uint32, count)
	for rank := uint32(0); all != ""; rank++ {
		n := 1 + int(all[0])
		if n > len(all) {
			return nil, fmt.Errorf("encoding %s: %w", name, errVocabulary)
		}
		if n > 1 { // an unused rank has none
			ranks[all[1:n]] = rank
		}
		all = all[n:]
	}
	return ranks, nil
}
