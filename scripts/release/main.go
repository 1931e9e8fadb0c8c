package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// platforms lists the platforms of a release, as GOOS_GOARCH.
var platforms = []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64", "windows_amd64"}

// release describes the release to pack.
type release struct {
	version string    // v1.2.3
	commit  string    // of the source
	time    time.Time // of the commit
	source  string    // folder of the source
	builds  string    // folder with PLATFORM/slotway, man1 and completions
	out     string    // folder for the files
}

func main() {
	var r release
	var epoch int64
	list := flag.Bool("platforms", false, "list the platforms and end")
	flag.StringVar(&r.version, "version", "", "version, with its v")
	flag.StringVar(&r.commit, "commit", "", "commit of the source")
	flag.Int64Var(&epoch, "epoch", 0, "time of the commit in seconds")
	flag.StringVar(&r.source, "source", "", "folder of the source")
	flag.StringVar(&r.builds, "builds", "", "folder of the binaries")
	flag.StringVar(&r.out, "out", "", "folder to write to")
	flag.Parse()
	if *list {
		fmt.Println(strings.Join(platforms, "\n"))
		return
	}
	r.time = time.Unix(epoch, 0).UTC()
	if err := r.pack(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// number returns the version without its v, as file names have it.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

// name returns the name of a release's file: slotway_1.2.3_WHAT.
func (r *release) name(what string) string { return "slotway_" + r.number() + "_" + what }

// binaryName returns the file name of the program on a platform.
func binaryName(platform string) string {
	if strings.HasPrefix(platform, "windows_") {
		return "slotway.exe"
	}
	return "slotway"
}

// pack writes every file of the release.
func (r *release) pack() error {
	if err := os.MkdirAll(r.out, 0o755); err != nil {
		return err
	}
	common, err := r.commonFiles()
	if err != nil {
		return err
	}
	embedded, err := embeddedData(r.source)
	if err != nil {
		return err
	}
	var images []platformFiles
	for _, platform := range platforms {
		b, err := readBuild(filepath.Join(r.builds, platform, binaryName(platform)))
		if err != nil {
			return err
		}
		if err := b.check(r, platform); err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		notices, err := r.packPlatform(platform, b, common, embedded)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		if strings.HasPrefix(platform, "linux_") {
			images = append(images, platformFiles{platform, b.data, append([]file{notices}, licenceOf(common)...)})
		}
	}
	if err := r.packImage(images); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	return writeSums(r.out)
}

// packPlatform writes the archive and the bill of materials of one platform. It returns the notices.
func (r *release) packPlatform(platform string, b *buildFile, common []file, embedded []datum) (file, error) {
	parts, err := b.parts()
	if err != nil {
		return file{}, err
	}
	bill, err := r.bill(platform, b, parts, embedded)
	if err != nil {
		return file{}, err
	}
	if err := os.WriteFile(filepath.Join(r.out, r.name(platform)+".cdx.json"), bill, 0o644); err != nil {
		return file{}, err
	}
	notices, err := r.notices(parts)
	if err != nil {
		return file{}, err
	}
	files := append([]file{{name: binaryName(platform), mode: 0o755, data: b.data}, notices}, common...)
	return notices, r.writeArchive(platform, files)
}

// commonFiles returns the files of every archive.
func (r *release) commonFiles() ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(r.source, name))
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: name, mode: 0o644, data: data})
	}
	for folder, inside := range map[string]string{"man1": "man/man1", "completions": "completions"} {
		below, err := folderFiles(filepath.Join(r.builds, folder), inside)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("%s has no files: build with scripts/release.sh, which writes them", folder)
		}
		files = append(files, below...)
	}
	return files, nil
}

// licenceOf returns the file LICENSE.
func licenceOf(files []file) []file {
	for _, f := range files {
		if f.name == "LICENSE" {
			return []file{f}
		}
	}
	return nil
}
