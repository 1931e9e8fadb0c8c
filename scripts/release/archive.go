package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name string // with slashes
	mode int64
	data []byte
	uid  int  // id of user and group
	dir  bool // a folder has no data
}

// folderFiles reads the files of a folder. inside is their folder in the archive.
func folderFiles(folder, inside string) ([]file, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: path.Join(inside, e.Name()), mode: 0o644, data: data})
	}
	return files, nil
}

// inOrder sorts the files by name, so that neither a map nor a file system decides the bytes.
func inOrder(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// writeArchive writes a platform's archive: zip for Windows, tar.gz for the others. It has one top folder.
func (r *release) writeArchive(platform string, files []file) error {
	inside := slices.Clone(files)
	for i := range inside {
		inside[i].name = path.Join(r.name(platform), inside[i].name)
	}
	pack, end := tarGz, ".tar.gz"
	if strings.HasPrefix(platform, "windows_") {
		pack, end = zipOf, ".zip"
	}
	data, err := pack(inside, r.time)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, r.name(platform)+end), data, 0o644)
}

// tarOf packs files. All have the same time, and no named owner.
func tarOf(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range inOrder(files) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: at, Uid: f.uid, Gid: f.uid, Format: tar.FormatUSTAR}
		if f.dir {
			h.Typeflag, h.Name = tar.TypeDir, f.name+"/"
		}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// tarGz is tarOf, compressed. The gzip header has neither a name nor a time.
func tarGz(files []file, at time.Time) ([]byte, error) {
	plain, err := tarOf(files, at)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}

// zipOf packs files for Windows.
func zipOf(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range inOrder(files) {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(os.FileMode(f.mode))
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// sumsName is the name of the list of checksums.
const sumsName = "SHA256SUMS"

// writeSums lists the checksum of every file of a folder, as sha256sum --check reads it.
func writeSums(folder string) error {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		if e.Name() == sumsName {
			continue
		}
		sum, err := sumOf(filepath.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sum, e.Name())
	}
	return os.WriteFile(filepath.Join(folder, sumsName), []byte(sums.String()), 0o644)
}

func sumOf(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}
