package language

import (
	"reflect"
	"slices"
	"testing"
)

func TestBase(t *testing.T) {
	for tag, want := range map[string]string{"": "en", "en": "en", "de-AT": "de", "es-419": "es", "fr_CA": "fr", "zh-Hant-TW": "zh"} {
		if got := Base(tag); got != want {
			t.Errorf("Base(%q) = %q, want %q", tag, got, want)
		}
	}
}

func TestFolders(t *testing.T) {
	for _, tag := range []string{"de", "en", "es", "fr"} {
		if !slices.Contains(Tags(), tag) {
			t.Errorf("%s has no folder", tag)
		}
		if data, ok := Read(tag+"-ZZ", "name.txt"); !ok || len(data) == 0 {
			t.Errorf("%s has no name", tag)
		}
	}
	if _, ok := Read("tlh", "name.txt"); ok {
		t.Error("a language without a folder has a file")
	}
	if _, ok := Read("de", "../en/name.txt"); ok {
		t.Error("a file of another folder was read")
	}
}

func TestParseLists(t *testing.T) {
	got, err := ParseLists("# remark\n## a\none two\nthree\n\n## b\nwhy not, by all means\nsure\n")
	if err != nil {
		t.Fatal(err)
	}
	if w := got.Words("a"); !reflect.DeepEqual(w, []string{"one", "two", "three"}) {
		t.Errorf("words are %q", w)
	}
	if p := got.Phrases("b"); !reflect.DeepEqual(p, []string{"why not", "by all means", "sure"}) {
		t.Errorf("phrases are %q", p)
	}
	for _, broken := range []string{"one\n", "## a\n## a\n"} {
		if _, err := ParseLists(broken); err == nil {
			t.Errorf("ParseLists(%q): no error", broken)
		}
	}
}
