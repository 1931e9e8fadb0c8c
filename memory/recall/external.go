package recall

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/slotway/slotway/config/settings"
	"github.com/slotway/slotway/memory"
)

// VectorStore keeps vectors outside the process: of messages, and of archived documents with their
// texts. Of messages it gets no text and no id in the clear: users, agents and sessions are [ID]s.
// Every search names a scope and finds nothing outside it. A store is safe for concurrent use. Its
// errors contain neither a password nor data of a row. Batches, time limits, pauses and the
// synchronisation with a memory store are the callers': a store makes each call once.
type VectorStore interface {
	// Name names the store, such as backend and collection. Progress is recorded per name.
	Name() string
	// Ping returns why the store cannot be used now, or nil.
	Ping(ctx context.Context) error
	// Close may be called more than once.
	Close()

	// Put writes rows of a session and replaces those with the same numbers, except for rows with a
	// later fence. The vectors have the set's length, are finite and not zero. Documents of another
	// model may be dropped: they are made again.
	Put(ctx context.Context, set VectorSet, rows []VectorRow) error
	// Nearest returns the K rows of messages nearest to the query's vector that pass its limits, and the rows
	// of Include, each once and the nearest first; equal ones by time, session and number. Unknown
	// scopes have no rows.
	Nearest(ctx context.Context, q VectorQuery) ([]VectorMatch, error)
	// Drop deletes rows.
	Drop(ctx context.Context, d VectorDrop) error
	// Stored lists the rows of a session by a model in the order of their numbers, whatever their
	// fence.
	Stored(ctx context.Context, set VectorSet) ([]StoredRow, error)
	// Owners lists the sessions that have rows, each once, in any order.
	Owners(ctx context.Context) ([]Owner, error)
}

// VectorDriver opens vector stores of one kind. A program lists the drivers that it needs, and so
// links only their client libraries.
type VectorDriver struct {
	Backend string // value of memory.vector_store.backend
	Open    func(ctx context.Context, m *settings.Memory) (VectorStore, error)
}

// ID stands for a user, a scope or a session in a vector store: the first half of a SHA-256 of its
// names. Nobody who does not know the names can read them from it, but a guess can be verified,
// since the digest has no key. The zero ID stands for none.
type ID [16]byte

// String returns the ID in hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads what String writes.
func (id *ID) UnmarshalText(text []byte) error {
	raw, err := hex.DecodeString(string(text))
	if err != nil || len(raw) != len(id) {
		return fmt.Errorf("%d characters are no id", len(text))
	}
	*id = ID(raw)
	return nil
}

// UserID returns the ID of a user.
func UserID(user string) ID { return idOf("user", user) }

// ScopeID returns the ID of a user and an agent.
func ScopeID(user, agent string) ID { return idOf("scope", user, agent) }

// SessionID returns the ID of a session.
func SessionID(key memory.Key) ID { return idOf("session", key.UserID, key.AgentID, key.SessionID) }

func idOf(parts ...string) ID {
	var buf []byte
	for _, p := range append([]string{"slotway recall"}, parts...) {
		buf = binary.AppendUvarint(buf, uint64(len(p))) // lengths keep different lists of parts apart
		buf = append(buf, p...)
	}
	sum := sha256.Sum256(buf)
	return ID(sum[:16])
}

// Owner is the owner of rows.
type Owner struct{ User, Scope, Session ID }

// OwnerOf returns the owner of a session's rows.
func OwnerOf(key memory.Key) Owner {
	return Owner{UserID(key.UserID), ScopeID(key.UserID, key.AgentID), SessionID(key)}
}

// Fence is a fencing token: it orders the lives of a session. What was written for an earlier life
// does not replace what was written for a later one.
type Fence struct {
	Born  int64 // creation time of the session, in Unix microseconds
	Epoch int64 // number of times it was cleared
}

// FenceOf returns the fence of a session.
func FenceOf(snap *memory.Snapshot) Fence { return Fence{snap.CreatedAt.UnixMicro(), snap.Epoch} }

// Before reports whether f is earlier than o.
func (f Fence) Before(o Fence) bool { return f.Born < o.Born || f.Born == o.Born && f.Epoch < o.Epoch }

// VectorSet names the rows of one session by one model. Models never mix, nor do vectors of
// different lengths by a model of one name.
type VectorSet struct {
	Owner
	Documents bool // archived texts, not messages
	Model     string
	Dim       int // length of the vectors
	Fence     Fence
}

// VectorRow is the vector of one message or document, with what a search may filter by.
type VectorRow struct {
	Seq        int64
	Check      uint32    // of the text
	At         int64     // Unix microseconds
	Agent      bool      // true: said by the agent; false: by the user
	Importance int       // 0 to 3
	Vector     []float32 // not retained by the callee
	Document   *Document // of an archived text
}

// Document is an archived text, for people who read the vector store with their own tools.
type Document struct {
	Text      string
	Namespace string // conversations:USER or documents:AGENT
	Type      string // conversation or document
	// Metadata holds session_id, agent_id, conversation_topics, entities_mentioned, decisions_made,
	// open_questions, message_count and date_range (start and end), as far as they exist: strings,
	// numbers, lists of strings and one level of maps of strings.
	Metadata map[string]any
}

// StoredRow is a row in the store, without its vector.
type StoredRow struct {
	Seq   int64
	Check uint32
	Fence Fence
}

// VectorDrop selects rows to delete: those of a user, of one of its scopes, or of one session. The
// zero value deletes nothing.
type VectorDrop struct {
	Owner             // User is required; a zero Scope or Session stands for all
	Documents bool    // with Model: of documents, not of messages
	Model     string  // only of this model; "": of all, and documents as well as messages
	Seqs      []int64 // only these; nil: all. Needs Session and Model
	Before    *Fence  // only rows with an earlier fence; nil: any
}

// VectorQuery is a search. Zero fields below Vector and K limit nothing.
type VectorQuery struct {
	Scope  ID
	Model  string
	Vector []float32
	K      int // most rows; 0: only those of Include

	Session, Exclude ID    // only in this session; not in this one
	Recent           ID    // of this session only messages
	RecentFrom       int64 // from this number on
	RecentBefore     int64 // and before this one
	NoUser, NoAgent  bool
	Since, Until     *int64 // Unix microseconds; inclusive, exclusive
	MinImportance    int

	Include []VectorKey // rows that are wanted whatever their rank and the limits
}

// VectorKey identifies a row in its scope.
type VectorKey struct {
	Session ID
	Seq     int64
}

// VectorMatch is a found row.
type VectorMatch struct {
	VectorKey
	Check  uint32
	At     int64   // Unix microseconds
	Cosine float32 // in [-1,1]
}

// VectorCall reports how a call to a vector store ended.
type VectorCall struct {
	Op       string // nearest, put, held, drop or owners
	Code     string // "": fine; timeout, unavailable, cancelled by the caller, or paused: not called after failures
	Duration time.Duration
}
