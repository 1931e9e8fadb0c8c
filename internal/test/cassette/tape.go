package cassette

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/slotway/slotway/classifier/message"
	"github.com/slotway/slotway/router/replay"
)

// Tape holds what one conversation received from outside of the rules, in order.
type Tape struct {
	Name     string            `json:"name"`
	Messages []Message         `json:"heard"`
	Calls    []Call            `json:"calls,omitempty"`
	Read     map[string]Answer `json:"read,omitempty"` // by param and text, see readKey
}

// Answer is a text read as the value of a param.
type Answer struct {
	Value any  `json:"value,omitempty"`
	OK    bool `json:"ok"`
}

// Message is the classifier's result for one message.
type Message struct {
	Text     string            `json:"text"`
	Result   message.Result    `json:"result"`
	Clauses  []clause          `json:"clauses,omitempty"` // those of Result
	Commands []message.Command `json:"commands"`          // of Result.Hear; nil: it was not asked
}

// Call is one call of a tool and what it came to.
type Call struct {
	Tool      string         `json:"tool"`
	Args      map[string]any `json:"args"` // none is not empty
	Value     any            `json:"value,omitempty"`
	Attempts  int            `json:"attempts"`
	Code      string         `json:"code,omitempty"` // "": it worked
	Uncertain bool           `json:"uncertain,omitempty"`
}

// Ext is the extension of a file of tapes.
const Ext = ".jsonl.gz"

// clause is a clause with only the acts that count for something.
type clause struct {
	message.Clause
	Acts map[string]float64 `json:"Acts,omitempty"`
}

func readKey(param, text string) string { return param + "\t" + text }

// folders hold the conversations that are recorded, below the root of the module, each with where
// its tapes are, below [Folder].
var folders = map[string]string{"router/testdata": "", Folder + "/asides": "asides"}

// Folder holds the tapes, below the root of the module.
const Folder = "router/replay/cassette/testdata"

// Files are the files of conversations that are recorded, each with the name of its tapes below
// [Folder], without an extension. root is that of the module.
func Files(root string) (map[string]string, error) {
	out := map[string]string{}
	for folder, tapes := range folders {
		folder = filepath.Join(root, folder)
		found, err := replay.Find([]string{folder})
		if err != nil {
			return nil, err
		}
		for _, file := range found {
			rel, err := filepath.Rel(folder, file)
			if err != nil {
				return nil, err
			}
			out[file] = filepath.Join(tapes, strings.TrimSuffix(rel, ".yaml"))
		}
	}
	return out, nil
}

// Load reads the tapes of a file, by the name of the conversation. No tape is none.
func Load(path string) (map[string]*Tape, error) {
	file, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	out := map[string]*Tape{}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var t Tape
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		for i := range t.Messages {
			t.Messages[i].unfold()
		}
		out[t.Name] = &t
	}
	return out, lines.Err()
}

// Save writes the tapes of a file.
func Save(path string, tapes []*Tape) error {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for _, t := range tapes {
		for i := range t.Messages {
			t.Messages[i].fold()
		}
		line, err := json.Marshal(t)
		if err != nil {
			return fmt.Errorf("write the tape of %s: %w", t.Name, err)
		}
		if _, err := z.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// fold rounds the figures, which are of no use to the last digit, and leaves out what is nothing.
func (h *Message) fold() {
	h.Clauses = nil
	for _, c := range h.Result.Clauses {
		k := clause{Clause: c, Acts: map[string]float64{}}
		for a, p := range c.Acts {
			if p := round(float64(p)); p >= 0.05 {
				k.Acts[message.Act(a).String()] = p
			}
		}
		k.Clause.Acts, k.Clause.Ranking = message.Acts{}, rounded(c.Ranking)
		h.Clauses = append(h.Clauses, k)
	}
	h.Result.Clauses = nil
	h.Result.Confidence, h.Result.Ranking = round(h.Result.Confidence), rounded(h.Result.Ranking)
}

// unfold is the way back.
func (h *Message) unfold() {
	for _, k := range h.Clauses {
		c := k.Clause
		for a := range c.Acts {
			c.Acts[a] = float32(k.Acts[message.Act(a).String()])
		}
		h.Result.Clauses = append(h.Result.Clauses, c)
	}
	h.Clauses = nil
}

func rounded(list []message.Score) []message.Score {
	var out []message.Score
	for _, s := range list {
		out = append(out, message.Score{Intent: s.Intent, Confidence: round(s.Confidence)})
	}
	return out
}

func round(x float64) float64 { return math.Round(1000*x) / 1000 }
