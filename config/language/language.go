package language

import (
	"embed"
	"io/fs"
	"slices"

	"golang.org/x/text/language"
)

//go:embed */*
var folders embed.FS

// English is the tag of the default language.
const English = "en"

// Base returns a tag without region and script: "de" for "de-AT"; English for "".
func Base(tag string) string {
	if tag == "" || tag == English {
		return English
	}
	base, _ := language.Make(tag).Base()
	return base.String()
}

// Read returns a file from the folder of a tag's language, and whether it exists.
func Read(tag, file string) ([]byte, bool) {
	data, err := folders.ReadFile(Base(tag) + "/" + file)
	return data, err == nil
}

// Tags returns the languages that have a folder, sorted.
func Tags() []string {
	entries, err := fs.ReadDir(folders, ".")
	if err != nil {
		panic(err) // the folders are embedded
	}
	var tags []string
	for _, e := range entries {
		if e.IsDir() {
			tags = append(tags, e.Name())
		}
	}
	slices.Sort(tags)
	return tags
}

// Has reports whether a tag's language has a file.
func Has(tag, file string) bool {
	_, ok := Read(tag, file)
	return ok
}
