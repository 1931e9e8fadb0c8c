package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/slotway/slotway/config/source"
	"github.com/slotway/slotway/internal/build"
)

// checkFormats write the result of `check`.
var checkFormats = map[string]func(c *checkResult, out io.Writer, path string) error{
	"text":   (*checkResult).printText,
	"json":   func(c *checkResult, out io.Writer, _ string) error { return encode(out, c) },
	"github": (*checkResult).printGitHub,
	"sarif":  func(c *checkResult, out io.Writer, _ string) error { return encode(out, c.sarif()) },
}

func checkFormatNames() []string { return slices.Sorted(maps.Keys(checkFormats)) }

func encode(out io.Writer, v any) error {
	if err := json.NewEncoder(out).Encode(v); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

// printCodes lists what the codes of problems mean.
func printCodes(out io.Writer, asJSON bool) error {
	if asJSON {
		return encode(out, source.Codes)
	}
	return table(out, "", source.Codes, func(c *source.Code) []any { return []any{c.Code, c.Severity, c.Meaning + " " + c.Remedy} })
}

// said is a problem's text without its place and code.
func said(p source.Problem) string {
	p.Pos, p.Severity = source.Position{}, source.SeverityError
	return strings.TrimPrefix(p.String(), ": ")
}

// annotationNames are the workflow commands of severities.
var annotationNames = map[source.Severity]string{source.SeverityWarning: "warning", source.SeverityNote: "notice"}

// printGitHub writes a workflow command for each problem, which GitHub shows at its line.
func (c *checkResult) printGitHub(out io.Writer, _ string) error {
	for _, p := range c.Problems {
		name := annotationNames[p.Severity]
		if name == "" {
			name = "error"
		}
		a := annotation{name, p.Pos.File, p.Pos.Line, 0, "slotway " + p.Code, said(p)}
		if p.Pos.Line > 0 {
			a.column = p.Pos.Column
		}
		if err := a.write(out); err != nil {
			return err
		}
	}
	return nil
}

// The parts of a SARIF 2.1.0 log that `check` writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string      `json:"id"`
		ShortDescription sarifText   `json:"shortDescription"`
		Help             sarifText   `json:"help"`
		Configuration    sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

// sarif returns the problems as a SARIF log.
func (c *checkResult) sarif() *sarifLog {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "slotway", Version: build.ReadInfo().Version, InformationURI: "https://github.com/slotway/slotway"}
	for _, code := range source.Codes {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{code.Code, sarifText{code.Meaning}, sarifText{code.Remedy}, sarifConfig{string(code.Severity)}})
	}
	for _, p := range c.Problems {
		r := sarifResult{
			RuleID: p.Code, Level: string(p.Severity), Message: sarifText{said(p)},
			RuleIndex: slices.IndexFunc(source.Codes, func(known source.Code) bool { return known.Code == p.Code }),
		}
		if p.Pos.File != "" {
			at := sarifPhysical{Artifact: sarifArtifact{fileURI(p.Pos.File)}}
			if p.Pos.Line > 0 {
				at.Region = &sarifRegion{p.Pos.Line, max(p.Pos.Column, 1)}
			}
			r.Locations = []sarifLocation{{at}}
		}
		run.Results = append(run.Results, r)
	}
	return &sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}}
}

// fileURI returns a relative reference for a relative path, and a file URI for an absolute one.
func fileURI(path string) string {
	u := url.URL{Path: filepath.ToSlash(path)}
	if filepath.IsAbs(path) {
		u.Scheme = "file"
	}
	return u.String()
}
