package authoring

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/slotway/slotway/internal/test/programtest"
)

// howtos is the folder of the how-tos.
var howtos = filepath.Join("..", "..", "..", "docs", "howto")

// TestHowtosShowTheirFiles holds that what the how-tos show of a file stands in it word for word.
func TestHowtosShowTheirFiles(t *testing.T) {
	shown := 0
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.title == "" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(howtos, filepath.FromSlash(b.title)))
			if err != nil {
				t.Errorf("%s:%d: %v", page, b.line, err)
				continue
			}
			shown++
			if !strings.Contains("\n"+string(text), "\n"+b.text) {
				t.Errorf("%s:%d: %s has no such lines:\n%s", page, b.line, b.title, b.text)
			}
		}
	}
	if shown < 15 {
		t.Errorf("%d blocks: the test does not look at the pages", shown)
	}
}

// TestHowtosConverse has the conversations of the how-tos, with their real tools.
func TestHowtosConverse(t *testing.T) {
	programtest.TakesLong(t)
	for _, page := range pages(t) {
		t.Run(filepath.Base(page), func(t *testing.T) {
			r := newReader(t, page, howtos)
			for _, b := range blocks(t, page) {
				if b.kind == "console" {
					r.console(b)
				}
			}
		})
	}
}

func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(howtos, "*.md"))
	if err != nil || len(found) == 0 {
		t.Fatal("no how-tos", err)
	}
	return found
}
