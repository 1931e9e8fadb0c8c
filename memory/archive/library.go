package archive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slotway/slotway/memory"
	"github.com/slotway/slotway/memory/internal/history"
	"github.com/slotway/slotway/memory/internal/plaintext"
)

// Owner is the user whose sessions are an agent's documents. No person has this id; see
// memory.Reserved.
const Owner = "$knowledge"

// MaxDocument is the size of the largest document, in bytes.
const MaxDocument = 8 << 20

// Keys of the metadata of a document's chunks.
const (
	metaHash    = "hash"    // hash of the text and the way it was cut; on the first chunk
	metaHeading = "heading" // the heading above the chunk
	metaShared  = "shared"  // other agents find the document; on the first chunk
)

// Source is a text to add to an agent's documents.
type Source struct {
	Name  string // its id; a text added under the same name replaces it
	Title string // default: its first heading, else Name
	Text  string
}

// Added reports what Add did.
type Added struct {
	Title   string
	Pieces  int
	Changed bool // false: the text was there already
}

// documentKey returns the key of an agent's document.
func documentKey(agentID, name string) memory.Key {
	return memory.Key{UserID: Owner, AgentID: agentID, SessionID: name}
}

// Add stores a text so that all users of an agent find it. Its chunks are the messages of one
// session, written in one commit. The chunks of an earlier text under the same name become
// inactive. ErrEmpty, ErrTooLarge: nothing was changed.
func (t *Tier) Add(ctx context.Context, agentID string, src Source) (Added, error) {
	text := strings.ToValidUTF8(src.Text, "\uFFFD")
	if len(text) > MaxDocument {
		return Added{}, fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrTooLarge, len(text), MaxDocument)
	}
	key := documentKey(agentID, src.Name)
	if err := key.Validate(); err != nil {
		return Added{}, err
	}
	pieces := Chunk(text, t.opts.ChunkSize, t.opts.ChunkOverlap)
	if len(pieces) == 0 {
		return Added{}, ErrEmpty
	}
	added := Added{Title: plaintext.Line(src.Title), Pieces: len(pieces)}
	if added.Title == "" {
		added.Title = firstHeading(text, src.Name)
	}
	const attempts = 3
	for n := 1; ; n++ {
		var err error
		added.Changed, err = t.write(ctx, key, pieces, t.hash(text))
		if errors.Is(err, memory.ErrConflict) && n < attempts {
			continue
		}
		if err != nil {
			return Added{}, err
		}
		return added, t.store.Describe(ctx, key, memory.About{Title: added.Title})
	}
}

// hash returns a digest of a text and of the way it is cut.
func (t *Tier) hash(text string) string {
	form := fmt.Sprintf("%d %d %d", version, t.opts.ChunkSize, t.opts.ChunkOverlap)
	if t.opts.Shared {
		form += " shared"
	}
	sum := sha256.Sum256([]byte(form + " " + text))
	return hex.EncodeToString(sum[:16])
}

// write writes a document, unless it is there already.
func (t *Tier) write(ctx context.Context, key memory.Key, pieces []string, hash string) (bool, error) {
	s, err := memory.NewConversations(t.store, 0).ForTurn(ctx, key, "", true)
	if err != nil {
		return false, err
	}
	if s.Version() > 0 {
		first, err := t.store.Messages(ctx, key, memory.Page{Limit: 1})
		if err != nil {
			return false, err
		}
		if len(first) > 0 && first[0].Metadata[metaHash] == hash {
			return false, nil
		}
		if _, err := s.Clear(); err != nil {
			return false, err
		}
	}
	now, heading := t.opts.Now(), ""
	for i, piece := range pieces {
		m := memory.Message{Role: memory.Tool, Name: Name, Text: piece, Timestamp: now, Metadata: map[string]string{}}
		if i == 0 {
			m.Metadata[metaHash] = hash
			if t.opts.Shared {
				m.Metadata[metaShared] = "true"
			}
		}
		if heading != "" {
			m.Metadata[metaHeading] = heading
		}
		s.Append(m)
		heading = lastHeading(piece, heading)
	}
	if t.remote != nil {
		s.Enqueue(Kind, time.Time{})
	}
	return true, s.Commit(ctx, now)
}

// Remove deletes a document. memory.ErrNotFound: there is none with that name.
func (t *Tier) Remove(ctx context.Context, agentID, name string) error {
	return t.store.Delete(ctx, documentKey(agentID, name))
}

// headingOf returns the text of a Markdown heading, or "".
func headingOf(line string) string {
	line = strings.TrimSpace(line)
	if rest := strings.TrimLeft(line, "#"); rest != line && strings.HasPrefix(rest, " ") {
		return shorten(plaintext.Line(rest), maxTitle)
	}
	return ""
}

// lastHeading returns the last heading in a text, else the one before it.
func lastHeading(text, before string) string {
	for line := range strings.Lines(text) {
		if h := headingOf(line); h != "" {
			before = h
		}
	}
	return before
}

// firstHeading returns the first heading of a text, else its name.
func firstHeading(text, name string) string {
	for line := range strings.Lines(text) {
		if h := headingOf(line); h != "" {
			return h
		}
	}
	return name
}

// readPieces reads the chunks of an agent's document into the index. The texts stay in the store.
func (t *Tier) readPieces(ctx context.Context, sc *scope, s *session, snap *memory.Snapshot, title string) error {
	s.upTo = snap.NextSeq - 1
	if title == "" {
		title = snap.Key.SessionID
	}
	var shared *Digest // the first chunk sets it
	for m, err := range history.Messages(ctx, t.store, snap.Key, memory.Page{After: snap.Floor - 1}) {
		if err != nil {
			return err
		}
		if m.Metadata[metaShared] == "true" {
			shared = &Digest{}
		}
		e := &entry{typ: Documents, key: snap.Key, Document: Document{
			Version: version, From: m.Seq, To: m.Seq, Messages: 1, Begun: m.Timestamp, Ended: m.Timestamp, Digest: Digest{Title: title}, Shared: shared,
		}}
		text := title + ". " + m.Metadata[metaHeading] + ". " + m.Text
		sc.index(e, termsOf(text))
		t.embed(e, text)
		s.entries = append(s.entries, e)
	}
	return nil
}

// ListEntry is an archived conversation or a document in a listing.
type ListEntry struct {
	Type      Type   `json:"type"`
	AgentID   string `json:"agent_id,omitempty"` // the agent that shares it; "": the asking agent
	SessionID string `json:"session_id"`         // of a document its name
	Digest
	Begun    time.Time `json:"begun"`
	Ended    time.Time `json:"ended"`
	Parts    int       `json:"parts"`              // documents of a conversation, or chunks of a document
	Messages int       `json:"messages,omitempty"` // in the conversation's documents
}

// List returns what a user can find: archived conversations, the latest first, and the agent's
// documents by name. It ignores Text and Threshold.
func (t *Tier) List(ctx context.Context, q Query) ([]ListEntry, error) {
	if err := q.validate(&t.opts); err != nil {
		return nil, err
	}
	var out []ListEntry
	reached, err := t.reachableScopes(ctx, &q)
	if err != nil {
		return nil, err
	}
	for _, key := range reached {
		sc := t.scope(key)
		if err := t.catchUp(ctx, sc, ""); err != nil {
			return nil, err
		}
		out = append(out, sc.listing(&q)...)
	}
	return out[:min(len(out), q.Limit)], nil
}

func (sc *scope) listing(q *Query) []ListEntry {
	sc.mu.RLock()
	defer sc.mu.RUnlock()
	var out []ListEntry
	for id, s := range sc.sessions {
		entries := s.entries
		agent := ""
		if q.foreign(sc.key) {
			agent, entries = sc.key.Agent, shared(entries)
		}
		if len(entries) == 0 || id == q.excluded(sc.key) {
			continue
		}
		first, last := entries[0], entries[len(entries)-1]
		l := ListEntry{
			Type: first.typ, AgentID: agent, SessionID: id, Digest: Digest{Title: first.Title}, Begun: first.Begun, Ended: last.Ended, Parts: len(entries),
		}
		var told []string
		for _, e := range entries {
			if e.typ == Conversations {
				l.Messages += e.Messages
				told = append(told, e.Summary)
			}
			for i, list := range l.lists() {
				*list = merged(*list, *e.lists()[i])
			}
		}
		l.Summary = strings.Join(told, "\n")
		l.Topics = l.Topics[:min(len(l.Topics), maxTopics)]
		l.Decisions, l.Questions = newest(l.Decisions, maxDecisions), newest(l.Questions, maxQuestions)
		out = append(out, l)
	}
	slices.SortFunc(out, func(a, b ListEntry) int {
		if byTime := b.Ended.Compare(a.Ended); byTime != 0 && sc.key.User != Owner {
			return byTime
		}
		return strings.Compare(a.SessionID, b.SessionID)
	})
	return out
}

// merged appends the entries that a list lacks.
func merged(list, more []string) []string {
	for _, text := range more {
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
