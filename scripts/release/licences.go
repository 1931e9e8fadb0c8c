package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// legalName matches the usual names of files that must accompany the code.
var legalName = regexp.MustCompile(`(?i)^((.*[-_.])?(licen[sc]es?|copying|notice|patents|unlicense)([-_.].*)?|copyright)$`)

// sourceName matches source files, which can be called license too.
var sourceName = regexp.MustCompile(`\.(go|c|h|s|py|js|json|yaml|yml|sh)$`)

// legalFiles reads the licences and notices in a folder, and with deep also below it: a module can contain
// other people's code.
func legalFiles(dir string, deep bool) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			if e.Name() == "testdata" || name != dir && !deep {
				return fs.SkipDir
			}
			return nil
		}
		if !legalName.MatchString(e.Name()) || sourceName.MatchString(e.Name()) {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files = append(files, file{name: filepath.ToSlash(rel), data: data})
		return err
	})
	return inOrder(files), err
}

// surely is the share of a file that must be the text of the licence, in per cent.
const surely = 90

// licenceID returns the SPDX identifier of the licence of a part. It returns "" unless the top folder has a
// single licence file that is nearly all the text of one known licence: a reader of the list is better off
// with no licence than with a guess.
func licenceID(files []file) string {
	var id string
	found := 0
	for _, f := range files {
		if strings.Contains(f.name, "/") || !strings.Contains(strings.ToLower(f.name), "licen") && !strings.HasPrefix(strings.ToLower(f.name), "copying") {
			continue
		}
		found++
		id = knownLicence(f.data)
	}
	if found != 1 {
		return ""
	}
	return id
}

// knownLicence returns the identifier of the licence in a text; "" if there is none, or more than one.
func knownLicence(text []byte) string {
	covered := licensecheck.Scan(text)
	if covered.Percent < surely {
		return ""
	}
	var ids []string
	for _, m := range covered.Match {
		if !m.IsURL {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) != 1 {
		return ""
	}
	return ids[0]
}

// notices joins the licences and notices of all parts of a binary, as their terms require.
func (r *release) notices(parts []part) (file, error) {
	var out bytes.Buffer
	out.WriteString("Slotway is licensed under the Apache License 2.0, see LICENSE. It contains the following works\nof others, under their licences.\n")
	own, err := r.ownNotices()
	if err != nil {
		return file{}, err
	}
	writeNotices(&out, "data in Slotway", own)
	for _, p := range parts {
		files, err := p.legal()
		if err != nil {
			return file{}, err
		}
		if len(files) == 0 {
			return file{}, fmt.Errorf("%s %s has no licence in the module cache: run go mod download; if the module itself has none, a release must not contain it", p.path, p.version)
		}
		writeNotices(&out, p.path+" "+p.version, files)
	}
	return file{name: "NOTICES.txt", mode: 0o644, data: out.Bytes()}, nil
}

// ownNotices returns the notices and licences of the embedded data, from the folders of the source.
func (r *release) ownNotices() ([]file, error) {
	var own []file
	for _, folder := range []string{"classifier", "internal", "memory"} {
		files, err := noticeFolders(filepath.Join(r.source, folder))
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			f.name = folder + "/" + f.name
			own = append(own, f)
		}
	}
	return own, nil
}

// noticeFolders reads each NOTICE below a folder, and the files of the folder licenses beside it.
func noticeFolders(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() != "NOTICE" && filepath.Base(filepath.Dir(name)) != "licenses" {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files = append(files, file{name: filepath.ToSlash(rel), data: data})
		return err
	})
	return inOrder(files), err
}

// legal reads the licences and notices of a part. For the standard library it reads only the top folder:
// those below belong to programs and tests, which are not linked.
func (p part) legal() ([]file, error) {
	if p.dir == "" {
		return nil, nil
	}
	return legalFiles(p.dir, !p.standard)
}

// writeNotices writes the files of one work, each text once.
func writeNotices(out *bytes.Buffer, work string, files []file) {
	written := map[string]bool{}
	for _, f := range files {
		text := strings.TrimSpace(strings.ReplaceAll(string(f.data), "\r\n", "\n"))
		if written[text] {
			continue
		}
		written[text] = true
		fmt.Fprintf(out, "\n%[1]s\n%[2]s: %[3]s\n%[1]s\n\n%[4]s\n", strings.Repeat("=", 80), work, f.name, text)
	}
}
