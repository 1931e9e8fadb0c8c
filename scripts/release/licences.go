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

// legalName is the name of a file that must travel with the code, as far as names tell.
var legalName = regexp.MustCompile(`(?i)^((.*[-_.])?(licen[sc]es?|copying|notice|patents|unlicense)([-_.].*)?|copyright)$`)

// sourceName is the name of a file of source, which may be called license as well.
var sourceName = regexp.MustCompile(`\.(go|c|h|s|py|js|json|yaml|yml|sh)$`)

// legalFiles reads the licences and notices in a folder, and if deep below it: a module may have code of
// others.
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

// surely is how much of a licence's file must be the text of that licence, in per cent.
const surely = 90

// licenceID returns the SPDX identifier of the licence of a part; "" unless there is one file of a licence
// at its top, and nearly all of it is the text of one known licence. Whoever relies on the list must
// rather find nothing than a guess.
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

// knownLicence returns the identifier of the one licence that a text is; "" for none or several.
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

// notices joins the licences and notices of everything that a binary has: their terms ask for that.
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
			return file{}, fmt.Errorf("%s %s has no licence in the cache of modules (run go mod download), or it has none", p.path, p.version)
		}
		writeNotices(&out, p.path+" "+p.version, files)
	}
	return file{name: "NOTICES.txt", mode: 0o644, data: out.Bytes()}, nil
}

// ownNotices are the notices and licences in the folders of the source, of the embedded data.
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

// legal reads the licences and notices of a part. Below the top of Go's own tree there are those of
// programs and tests, which are not linked.
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
