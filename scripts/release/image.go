package main

import (
	"bytes"
	"compress/gzip"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// runAs is the user and group of the process in the image.
const runAs = 65532

// imageConfig returns the configuration of deploy/Dockerfile. A test compares the two.
func imageConfig(r *release) v1.Config {
	return v1.Config{
		User: fmt.Sprintf("%d:%d", runAs, runAs),
		Env: []string{
			"SLOTWAY_MEMORY_STORAGE_PATH=/data/memory.db", "SLOTWAY_SERVER_ADDR=0.0.0.0:8080", "SLOTWAY_SERVER_AUTH_KEYS_FILE=/data/keys.yaml",
		},
		Entrypoint:   []string{"/slotway", "--data", "/data"},
		Cmd:          []string{"serve"},
		Volumes:      map[string]struct{}{"/data": {}},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Labels:       labels(r),
	}
}

// labels describe an image.
func labels(r *release) map[string]string {
	return map[string]string{
		"org.opencontainers.image.title":    "slotway",
		"org.opencontainers.image.version":  r.version,
		"org.opencontainers.image.revision": r.commit,
		"org.opencontainers.image.created":  r.time.Format(time.RFC3339),
		"org.opencontainers.image.licenses": "Apache-2.0",
	}
}

// platformFiles are the binary of a platform and its texts.
type platformFiles struct {
	platform string
	binary   []byte
	texts    []file
}

// packImage writes one index over the images of all platforms as an archive in the OCI layout, and the
// digest of the index. It uses no daemon, which would add times and other values that change.
func (r *release) packImage(all []platformFiles) error {
	index, err := r.index(all)
	if err != nil {
		return err
	}
	digest, err := index.Digest()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "slotway-image-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return err
	}
	// skopeo and containerd read these names.
	names := map[string]string{"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": "docker.io/library/slotway:" + r.version}
	if err := path.AppendIndex(index, layout.WithAnnotations(names)); err != nil {
		return err
	}
	files, err := treeFiles(dir)
	if err != nil {
		return err
	}
	data, err := tarOf(files, r.time) // its layers are compressed
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(r.out, r.name("image.tar")), data, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, r.name("image.digest")), []byte(digest.String()+"\n"), 0o644)
}

// plain is an image that an index lists without an artifactType. The library would list the type of the
// configuration, and older tools drop it when they copy the index, which changes the digest.
type plain struct{ v1.Image }

// ArtifactType overrides the type that the library lists.
func (plain) ArtifactType() (string, error) { return "", nil }

// index makes the image of every platform and the index over them.
func (r *release) index(all []platformFiles) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, p := range all {
		img, err := r.image(p)
		if err != nil {
			return nil, err
		}
		system, machine, _ := strings.Cut(p.platform, "_")
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: plain{img}, Descriptor: v1.Descriptor{MediaType: types.OCIManifestSchema1, Platform: &v1.Platform{OS: system, Architecture: machine}},
		})
	}
	annotated, ok := mutate.Annotations(index, labels(r)).(v1.ImageIndex)
	if !ok {
		return nil, errors.New("the library returned no index for the annotated one")
	}
	return annotated, nil
}

// image makes the image of one platform: the program, root certificates, texts, and an empty data folder
// that belongs to the user of the process.
func (r *release) image(p platformFiles) (v1.Image, error) {
	roots, err := rootCertificates()
	if err != nil {
		return nil, err
	}
	files := []file{
		{name: "slotway", mode: 0o755, data: p.binary},
		{name: "etc/ssl/certs/ca-certificates.crt", mode: 0o644, data: roots},
		{name: "data", mode: 0o755, uid: runAs, dir: true},
	}
	for _, f := range p.texts {
		f.name = "usr/share/doc/slotway/" + f.name
		files = append(files, f)
	}
	plain, err := tarOf(files, r.time)
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(plain)), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression))
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: v1.History{Created: v1.Time{Time: r.time}, CreatedBy: "scripts/release.sh"}})
	if err != nil {
		return nil, err
	}
	config, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, _ = strings.Cut(p.platform, "_")
	config.Created, config.Config = v1.Time{Time: r.time}, imageConfig(r)
	return mutate.ConfigFile(img, config)
}

// rootCertificates returns Mozilla's, in the version that go.mod names: those of the building machine change
// every month. It leaves out roots that are trusted only for old certificates, because a file of
// certificates cannot express that.
func rootCertificates() ([]byte, error) {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// treeFiles reads all files below a folder.
func treeFiles(dir string) ([]file, error) {
	var files []file
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files = append(files, file{name: filepath.ToSlash(rel), mode: 0o644, data: data})
		return err
	})
	return files, err
}
