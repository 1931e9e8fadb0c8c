package config

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// Limits of the files of an agent, in bytes.
const (
	maxAgentBytes = 1 << 20
	maxExtraBytes = 16 << 20 // examples and seeds
)

//go:embed intents.yaml system.yaml demo/shop.sql
var embedded embed.FS

// DefaultSource returns the text of the embedded default agent.
func DefaultSource() []byte {
	data, err := embedded.ReadFile("intents.yaml")
	if err != nil {
		panic(err) // the compiler embedded it
	}
	return data
}

// Default returns the embedded default agent, a shop with a database of its own.
func Default() (*Agent, error) { return Parse("intents.yaml", DefaultSource(), "") }

// Load reads an agent definition. If the file exists but is invalid, the error is Problems with all
// its errors. Agent.Warnings holds the lints.
func Load(path string) (*Agent, error) {
	data, err := source.ReadFile(path, maxAgentBytes)
	if err != nil {
		return nil, fmt.Errorf("read agent: %w", err)
	}
	a, err := Parse(path, data, filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	return a, a.listFiles(path)
}

// listFiles adds the agent's own file and makes the paths absolute, so that they stay valid after a
// change of the working folder.
func (a *Agent) listFiles(own string) error {
	var files []string
	for _, path := range append(a.Files, own) {
		abs, err := filepath.Abs(path)
		if err != nil {
			return fmt.Errorf("read agent: %w", err)
		}
		files = append(files, abs)
	}
	slices.Sort(files)
	a.Files = slices.Compact(files)
	return nil
}

// Parse is Load for a definition in memory: name stands for the file in problems, and relative
// paths start from dir; "" finds only the embedded files.
func Parse(name string, data []byte, dir string) (*Agent, error) {
	a, problems := parseAgent(name, data, dir)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	a.Warnings = problems.Warnings()
	return a, nil
}

// Examine reads a file once, as Load does, and returns all its problems, errors and lints, in
// the order of the file. A file that cannot be read is a problem too. The agent is nil when one
// of the problems is an error.
func Examine(path string) (*Agent, source.Problems) {
	a, problems := ExamineAll(path)
	return a, problems.Shown()
}

// ExamineAll is Examine with the problems that comments of the file switch off; they are marked.
func ExamineAll(path string) (*Agent, source.Problems) {
	data, err := source.ReadFile(path, maxAgentBytes)
	if err != nil {
		why, hint, ok := strings.Cut(reason(err), "; ")
		if !ok {
			hint = "name a readable file of at most 1 MiB"
		}
		return nil, source.Problems{{Code: source.Unreadable, Pos: source.Position{File: path}, Message: "cannot be read: " + why, Hint: hint, Severity: source.SeverityError}}
	}
	a, problems := parseAgent(path, data, filepath.Dir(path))
	if problems.Err() != nil {
		return nil, problems
	}
	a.Warnings = problems.Warnings()
	if err := a.listFiles(path); err != nil {
		return nil, append(problems, source.Problem{Code: source.Unreadable, Pos: source.Position{File: path}, Message: err.Error(), Severity: source.SeverityError})
	}
	return a, problems
}

// ReadFile reads a file that the definition names, such as the seed of a database. It looks
// relative to Dir and then among the embedded files, which hold the demo shop.
func (a *Agent) ReadFile(rel string) ([]byte, error) {
	if a.Dir != "" || filepath.IsAbs(rel) {
		path := rel
		if !filepath.IsAbs(rel) {
			path = filepath.Join(a.Dir, rel)
		}
		data, err := source.ReadFile(path, maxExtraBytes)
		if !errors.Is(err, fs.ErrNotExist) {
			if err == nil && a.found != nil {
				a.found(path)
			}
			return data, err
		}
	}
	data, err := embedded.ReadFile(filepath.ToSlash(filepath.Clean(rel)))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", rel, err)
	}
	return data, nil
}

func parseAgent(name string, data []byte, dir string) (*Agent, source.Problems) {
	if len(data) > maxAgentBytes {
		return nil, source.Problems{{
			Code: source.Invalid, Pos: source.Position{File: name, Line: 1, Column: 1}, Severity: source.SeverityError,
			Message: fmt.Sprintf("the file has %d bytes, at most %d are allowed", len(data), maxAgentBytes), Hint: "move examples to files named by examples_from",
		}}
	}
	root, problems := source.Parse(name, data)
	if root == nil {
		return nil, problems
	}
	structure, err := checkStructure(root)
	if err != nil {
		problems.Add(root, err.Error(), "report this: the embedded schema is broken")
		return nil, problems
	}
	a := &Agent{ID: idFromName(name), Dir: dir, Responses: map[string]*Response{}, BuiltIn: map[string]*Response{}}
	a.found = func(path string) { a.Files = append(a.Files, path) }
	defer func() { a.found = nil }()
	b := newBuilder(a, root)
	b.problems = append(problems, structure...)
	b.readResponses(systemFile().Get("responses"), a.BuiltIn)
	b.build()
	b.check()
	b.lint()
	a.Hash = b.hash()
	a.Ignores = source.ReadIgnores(name, data)
	return a, a.Ignores.Mark(b.problems.Sorted())
}

// hash returns a digest of the content: layout, comments and the order of keys do not count.
func (b *builder) hash() string {
	h := sha256.New()
	for _, n := range []*source.Node{b.root, systemFile(), systemOf(b.agent.Language)} {
		if n == nil {
			continue
		}
		data, err := json.Marshal(n.Value())
		if err == nil { // JSON-normal values always marshal
			h.Write(data)
		}
	}
	h.Write(b.external)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// systemFile returns the embedded file of the built-in intents and responses.
var systemFile = sync.OnceValue(func() *source.Node {
	data, err := embedded.ReadFile("system.yaml")
	if err != nil {
		panic(err) // the compiler embedded it
	}
	root, problems := source.Parse("system.yaml", data)
	if problems != nil {
		panic(problems) // a test reads it
	}
	return root
})

// idFromName makes an agent's id from the name of its file.
func idFromName(name string) string {
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	id := strings.Map(func(r rune) rune {
		if r < 0x80 && (naming.IsNameByte(byte(r), false) || r == '-') {
			return r
		}
		return '-'
	}, base)
	if id = strings.Trim(id, "-"); id == "" {
		return "agent"
	}
	return id
}

// reason returns an error of the file system without the path, which the position has.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// unreadable returns the problem of a file that the definition names but that cannot be read;
// missing is the remedy for a file that does not exist.
func unreadable(rel string, err error, missing string) (message, hint string) {
	if errors.Is(err, fs.ErrNotExist) {
		return rel + " cannot be read", missing
	}
	why, hint, ok := strings.Cut(reason(err), "; ")
	if !ok {
		hint = "check the file and its rights"
	}
	return rel + " cannot be read: " + why, hint
}
