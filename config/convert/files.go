package convert

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
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
		return nil, fmt.Errorf("%s is neither a folder nor a zip file", name)
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	return &Files{FS: r, close: r.Close}, nil
}

// FilesOf returns the files of a file system.
func FilesOf(fsys fs.FS) *Files { return &Files{FS: fsys, close: func() error { return nil }} }

// Close closes the zip file.
func (f *Files) Close() error { return f.close() }

// List returns the paths of the files, sorted.
func (f *Files) List() (names []string, err error) {
	err = fs.WalkDir(f, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if names = append(names, name); len(names) > maxFiles {
			return fmt.Errorf("the export has more than %d files", maxFiles)
		}
		return nil
	})
	return names, err
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

// JSON decodes a file. The error names the file and the line.
func (f *Files) JSON(name string, into any) (*Lines, error) {
	data, err := f.Read(name)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if err := json.Unmarshal(data, into); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, lineOf(data, offsetOf(err)), err)
	}
	return &Lines{file: name, data: data}, nil
}

// offsetOf returns where in the data decoding failed.
func offsetOf(err error) int {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return int(syntax.Offset)
	case errors.As(err, &kind):
		return int(kind.Offset)
	}
	return 0
}

// Lines finds places in a JSON file.
type Lines struct {
	file string
	data []byte
}

// Whole is the file itself.
func (l *Lines) Whole() Place { return Place{File: l.file} }

// Of returns the place where a text stands first as a JSON string, else the file.
func (l *Lines) Of(text string) Place {
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)                 // exports have < and & as they are
	if err := enc.Encode(text); err != nil { // not reached: a text encodes
		return l.Whole()
	}
	at := bytes.Index(l.data, bytes.TrimSpace(quoted.Bytes()))
	if at < 0 {
		return l.Whole()
	}
	return Place{File: l.file, Line: lineOf(l.data, at)}
}

// lineOf counts lines from 1.
func lineOf(data []byte, offset int) int {
	return 1 + bytes.Count(data[:min(max(offset, 0), len(data))], []byte{'\n'})
}

// Base returns the name of a file without folder and extension.
func Base(name string) string {
	base := path.Base(name)
	return base[:len(base)-len(path.Ext(base))]
}
