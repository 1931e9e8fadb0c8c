package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// dockerfile reads the last stage of deploy/Dockerfile by instruction.
func dockerfile(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string][]string{}
	for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if instruction == "FROM" {
			clear(said)
		}
		said[instruction] = append(said[instruction], strings.TrimSpace(rest))
	}
	return said
}

// list reads a JSON list of an instruction.
func list(t *testing.T, said []string) (words []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(strings.Join(said, "")), &words); err != nil {
		t.Fatal(err)
	}
	return words
}

// The image of a release has the configuration of deploy/Dockerfile.
func TestImageIsThatOfTheDockerfile(t *testing.T) {
	said, config := dockerfile(t), imageConfig(testRelease(t))
	env := strings.Fields(strings.Join(said["ENV"], " "))
	if !slices.Equal(config.Env, env) || len(env) == 0 {
		t.Errorf("the variables are %q, and %q in the Dockerfile", config.Env, env)
	}
	if entry := list(t, said["ENTRYPOINT"]); !slices.Equal(config.Entrypoint, entry) {
		t.Errorf("the entry point is %q, and %q in the Dockerfile", config.Entrypoint, entry)
	}
	if cmd := list(t, said["CMD"]); !slices.Equal(config.Cmd, cmd) {
		t.Errorf("the command is %q, and %q in the Dockerfile", config.Cmd, cmd)
	}
	if !slices.Equal(said["USER"], []string{config.User}) {
		t.Errorf("the user is %s, and %q in the Dockerfile", config.User, said["USER"])
	}
	_, volume := config.Volumes[strings.Join(said["VOLUME"], "")]
	_, port := config.ExposedPorts[strings.Join(said["EXPOSE"], "")+"/tcp"]
	if !volume || !port {
		t.Errorf("the volumes are %v, the ports %v; in the Dockerfile %q and %q", config.Volumes, config.ExposedPorts, said["VOLUME"], said["EXPOSE"])
	}
}

// packedImage packs an image of two platforms and returns its archive and its digest.
func packedImage(t *testing.T, r *release) (archive []byte, digest string) {
	t.Helper()
	texts := []file{{name: "LICENSE", mode: 0o644, data: []byte("free")}}
	err := r.packImage([]platformFiles{{"linux_amd64", []byte("for amd64"), texts}, {"linux_arm64", []byte("for arm64"), texts}})
	if err != nil {
		t.Fatal(err)
	}
	archive, err = os.ReadFile(filepath.Join(r.out, "slotway_1.2.3_image.tar"))
	if err != nil {
		t.Fatal(err)
	}
	line, err := os.ReadFile(filepath.Join(r.out, "slotway_1.2.3_image.digest"))
	if err != nil {
		t.Fatal(err)
	}
	return archive, strings.TrimSpace(string(line))
}

// unpackedLayout unpacks the archive of a layout to a folder, as a copy to a registry reads it.
func unpackedLayout(t *testing.T, archive []byte) string {
	t.Helper()
	dir := t.TempDir()
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// The archive has one valid index of both platforms, with the digest of the digest file. Each image
// has its own program, the certificates and the data folder. A second archive has the same bytes.
func TestImage(t *testing.T) {
	archive, digest := packedImage(t, testRelease(t))
	if again, _ := packedImage(t, testRelease(t)); !bytes.Equal(archive, again) {
		t.Error("a second image has other bytes")
	}
	top, err := layout.ImageIndexFromPath(unpackedLayout(t, archive))
	if err != nil {
		t.Fatal(err)
	}
	hash, err := v1.NewHash(digest)
	if err != nil {
		t.Fatal(err)
	}
	index, err := top.ImageIndex(hash)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(index); err != nil {
		t.Error(err)
	}
	list, err := index.IndexManifest()
	if err != nil || len(list.Manifests) != 2 || list.Annotations["org.opencontainers.image.version"] != "v1.2.3" {
		t.Fatalf("%+v, %v", list, err)
	}
	for _, m := range list.Manifests {
		if m.ArtifactType != "" {
			t.Errorf("the index has the artifactType %s, which skopeo drops", m.ArtifactType)
		}
		img, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := img.ConfigFile()
		if err != nil || m.Platform.OS != "linux" || config.OS != "linux" || config.Architecture != m.Platform.Architecture || config.Created.Unix() != 1_700_000_000 {
			t.Errorf("%+v says %+v, %v", m.Platform, config, err)
		}
		checkLayer(t, img, m.Platform.Architecture)
	}
}

func checkLayer(t *testing.T, img v1.Image, machine string) {
	t.Helper()
	layers, err := img.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers, %v", len(layers), err)
	}
	plain, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		data, _ := io.ReadAll(r)
		got[h.Name] = string(data)
		if mine := h.Name == "data/"; err != nil || mine != (h.Uid == runAs && h.Gid == runAs) || h.Mode&0o022 != 0 {
			t.Errorf("%s belongs to %d:%d, mode %o: %v", h.Name, h.Uid, h.Gid, h.Mode, err)
		}
	}
	if got["slotway"] != "for "+machine || got["usr/share/doc/slotway/LICENSE"] != "free" || !strings.HasPrefix(got["etc/ssl/certs/ca-certificates.crt"], "-----BEGIN CERTIFICATE-----") {
		t.Errorf("%s: the layer has %d files, the program is %q", machine, len(got), got["slotway"])
	}
	if _, ok := got["data/"]; !ok {
		t.Errorf("%s: there is no folder for data", machine)
	}
}

// The certificates are a hundred and more, each of which parses.
func TestRootCertificates(t *testing.T) {
	roots, err := rootCertificates()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for block, rest := pem.Decode(roots); block != nil; block, rest = pem.Decode(rest) {
		n++
	}
	if n < 90 {
		t.Errorf("%d certificates", n)
	}
}
