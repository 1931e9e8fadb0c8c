package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/slotway/slotway/config/pattern"
	"github.com/slotway/slotway/router/telemetry"
)

// golden compares the telemetry of the conversation with its golden file: all lines if the file
// ends in .jsonl, else the outline (telemetry.Outline).
func (p *play) golden() error {
	path := p.c.TelemetryPath()
	if path == "" {
		return nil
	}
	got, err := telemetry.Normalise(p.lines.Bytes())
	if err != nil {
		return fmt.Errorf("normalise telemetry: %w", err)
	}
	if filepath.Ext(path) == ".jsonl" {
		got = confidences.ReplaceAll(got, []byte("$1"))
	} else if got, err = telemetry.Outline(got); err != nil {
		return err
	}
	want, err := readFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return fmt.Errorf("read golden telemetry: %w", err)
	}
	diff := cmp.Diff(split(want), split(got))
	switch {
	case diff == "" && !missing:
	case p.opts.Update:
		p.result.Updated = true
		return writeGolden(path, got)
	case missing:
		p.fail(p.c.Line, 0, fmt.Sprintf("there is no golden telemetry %s; run with --update to write it", path))
	default:
		p.fail(p.c.Line, 0, fmt.Sprintf("telemetry %s (-want +got):\n%s", path, diff))
	}
	return nil
}

// confidences finds confidences, which are compared to two decimals. More digits differ between
// processors, and with every new example of another intent.
var confidences = pattern.Must(`("confidence":\d\.\d\d)\d+`)

func split(lines []byte) []string {
	return strings.Split(strings.TrimRight(string(lines), "\n"), "\n")
}

func writeGolden(path string, lines []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("write golden telemetry: %w", err)
	}
	if err := os.WriteFile(path, lines, 0o644); err != nil {
		return fmt.Errorf("write golden telemetry: %w", err)
	}
	return nil
}
