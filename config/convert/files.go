package convert

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Limits of what is read: an export is a few megabytes, and a zip file can hold more than there is room
// for.
const (
	maxFile  = 32 << 20
	maxFiles = 20_000
)

// Files is an export: a folder or a zip file.
type Files struct {
	fs.FS
	docs  map[string]*Node // that were read
	close func() error
}

// OpenFiles opens a folder or a zip file.
func OpenFiles(name string) (*Files, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return FilesOf(os.DirFS(name)), nil
	}
	r, err := zip.OpenReader(name)
	if errors.Is(err, zip.ErrFormat) {
		return nil, fmt.Errorf("%s is neither a folder nor a zip file, or it is damaged or incomplete", name)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return &Files{FS: r, docs: map[string]*Node{}, close: r.Close}, nil
}

// FilesOf returns the files of a file system.
func FilesOf(fsys fs.FS) *Files {
	return &Files{FS: fsys, docs: map[string]*Node{}, close: func() error { return nil }}
}

// Close closes the zip file.
func (f *Files) Close() error { return f.close() }

// skipped are folders of programs.
var skipped = []string{"models", "results", "venv", "node_modules"}

// List returns the paths of the files, sorted, without links and hidden ones.
func (f *Files) List() (names []string, err error) {
	err = fs.WalkDir(f, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		hidden := strings.HasPrefix(base, ".") && name != "."
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (hidden || slices.Contains(skipped, base)):
			return fs.SkipDir
		case entry.Type().IsRegular() && !hidden:
			names = append(names, name)
		}
		if len(names) > maxFiles {
			return fmt.Errorf("more than %d files: name the folder of one bot", maxFiles)
		}
		return nil
	})
	return names, err
}

// Rest lists the files that were not read, and what was not read of the others, besides files that are skipped.
func (f *Files) Rest(names []string, quiet map[string]bool, report *Report, skip func(name string) bool) {
	for _, name := range names {
		doc := f.docs[name]
		switch {
		case skip(name):
		case doc == nil:
			report.Add(Place{File: name}, Left, "nothing of this file is read")
		default:
			doc.Rest(quiet, report)
		}
	}
}

// Read returns the content of a file.
func (f *Files) Read(name string) (data []byte, err error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	data, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s has more than %d MB", name, maxFile>>20)
	}
	return data, err
}

// Base returns the name of a file without folder and extension.
func Base(name string) string {
	base := path.Base(name)
	return base[:len(base)-len(path.Ext(base))]
}
