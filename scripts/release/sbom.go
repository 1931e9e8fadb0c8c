package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
	"github.com/google/uuid"
)

// mainModule is the module that the program is built from.
const mainModule = "github.com/slotway/slotway"

// bill makes the bill of materials of one binary, as CycloneDX: the modules that the binary names, the
// standard library, and the embedded data. It checks that the bytes of the data are in the binary. It has
// no dependencies between modules, because a binary does not record them.
func (r *release) bill(platform string, b *buildFile, parts []part, embedded []datum) ([]byte, error) {
	system, machine, _ := strings.Cut(platform, "_")
	sum := sha256.Sum256(b.data)
	doc := cdx.NewBOM()
	// Derived from the binary, not random: the same release has the same bill.
	doc.SerialNumber = "urn:uuid:" + uuid.NewSHA1(uuid.NameSpaceURL, sum[:]).String()
	doc.Metadata = &cdx.Metadata{
		Timestamp:  r.time.Format("2006-01-02T15:04:05Z"),
		Lifecycles: &[]cdx.Lifecycle{{Phase: cdx.LifecyclePhasePostBuild}},
		Tools:      &cdx.ToolsChoice{Components: &[]cdx.Component{{Type: cdx.ComponentTypeApplication, Name: mainModule + "/scripts/release", Version: r.version}}},
		Component: &cdx.Component{
			BOMRef: purl(mainModule, r.version), Type: cdx.ComponentTypeApplication, Name: "slotway", Version: r.version,
			PackageURL: purl(mainModule, r.version) + "?goarch=" + machine + "&goos=" + system + "&type=module",
			Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
			Licenses:   licences("Apache-2.0"),
			Properties: properties([2]string{"slotway:file", binaryName(platform)}, [2]string{"slotway:platform", system + "/" + machine},
				[2]string{"slotway:commit", r.commit}, [2]string{"slotway:go", b.info.GoVersion}),
		},
	}
	components := []cdx.Component{}
	for _, p := range parts {
		c, err := p.component()
		if err != nil {
			return nil, err
		}
		components = append(components, c)
	}
	for _, d := range embedded {
		if !bytes.Contains(b.data, d.data) {
			return nil, fmt.Errorf("the embedded file %s is not in the binary: build the program from the same source", d.name)
		}
		components = append(components, d.component())
	}
	doc.Components = &components
	var out bytes.Buffer
	err := cdx.NewBOMEncoder(&out, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(doc, cdx.SpecVersion1_6)
	return out.Bytes(), err
}

// component describes a module.
func (p part) component() (cdx.Component, error) {
	files, err := p.legal()
	if err != nil {
		return cdx.Component{}, err
	}
	c := cdx.Component{BOMRef: purl(p.path, p.version), Type: cdx.ComponentTypeLibrary, Name: p.path, Version: p.version, PackageURL: purl(p.path, p.version), Licenses: licences(licenceID(files))}
	if p.sum != "" {
		c.Properties = properties([2]string{"slotway:go.sum", p.sum})
	}
	return c, nil
}

// component describes an embedded file.
func (d datum) component() cdx.Component {
	sum := sha256.Sum256(d.data)
	return cdx.Component{
		BOMRef: "file:" + d.name, Type: cdx.ComponentTypeData, Name: d.name,
		Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum[:])}},
	}
}

// licences returns the licence of a component; nil if it is unknown.
func licences(id string) *cdx.Licenses {
	if id == "" {
		return nil
	}
	return &cdx.Licenses{{License: &cdx.License{ID: id}}}
}

// properties pairs names with values.
func properties(pairs ...[2]string) *[]cdx.Property {
	var list []cdx.Property
	for _, p := range pairs {
		list = append(list, cdx.Property{Name: p[0], Value: p[1]})
	}
	return &list
}

// purl returns the package URL of a Go module. Vulnerability scanners look it up.
func purl(path, version string) string {
	return "pkg:golang/" + path + "@" + url.QueryEscape(version)
}
