package recall

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"time"

	"github.com/slotway/slotway/memory"
)

// Vectors keeps the vectors of messages outside the process. It is given no text and no
// id in the clear: users, agents and sessions are [ID]s. Every query names a scope, and
// finds nothing outside it. It is safe for concurrent use, and an error of it holds
// neither a password nor anything of a row.
type Vectors interface {
	VectorIndex
	VectorWriter
}

// VectorIndex is the part of Vectors that a search asks.
type VectorIndex interface {
	// Name names the place, such as the backend with the collection: what is done for one
	// name is not done for another.
	Name() string
	// Nearest returns the K rows nearest to the query's vector among those that pass, and
	// those of Also, each once, the nearest first; equal ones by time, session and number.
	// What it knows nothing of has no rows.
	Nearest(ctx context.Context, q VectorQuery) ([]VectorMatch, error)
}

// VectorWriter is the part of Vectors that the background job writes by.
type VectorWriter interface {
	// Put writes rows of a session, in place of those of the same numbers. A row that is
	// there with a later fence stays. The vectors have one length and are not zero.
	Put(ctx context.Context, set VectorSet, rows []VectorRow) error
	// Stored lists what is there of a session by a model, by number from after on, whatever
	// its fence; at most limit rows.
	Stored(ctx context.Context, set VectorSet, after int64, limit int) ([]StoredRow, error)
	// Drop deletes rows.
	Drop(ctx context.Context, d VectorDrop) error
	// Owners hands out the sessions that have rows, in any order, perhaps one twice. What
	// each returns ends it.
	Owners(ctx context.Context, each func(Owner) error) error
}

// ID stands for a user, a scope or a session outside: the first half of a SHA-256 of its
// names. It says nothing to whoever does not know the names, and lets nobody be mixed up;
// who can guess a name can make sure of it, for the digest has no key. The zero ID is none.
type ID [16]byte

// String is the ID in hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// UserID is the ID of a user.
func UserID(user string) ID { return idOf("user", user) }

// ScopeID is the ID of a user and an agent.
func ScopeID(user, agent string) ID { return idOf("scope", user, agent) }

// SessionID is the ID of a session.
func SessionID(key memory.Key) ID { return idOf("session", key.UserID, key.AgentID, key.SessionID) }

func idOf(parts ...string) ID {
	var buf []byte
	for _, p := range append([]string{"slotway recall"}, parts...) {
		buf = binary.AppendUvarint(buf, uint64(len(p))) // no two lists of parts are written alike
		buf = append(buf, p...)
	}
	sum := sha256.Sum256(buf)
	return ID(sum[:16])
}

// Owner is whose rows are.
type Owner struct{ User, Scope, Session ID }

// OwnerOf is the owner of a session's rows.
func OwnerOf(key memory.Key) Owner {
	return Owner{UserID(key.UserID), ScopeID(key.UserID, key.AgentID), SessionID(key)}
}

// Fence orders the lives of a session: what was written for an earlier one does not
// replace what was written for a later.
type Fence struct {
	Born  int64 // when the session was created, in Unix microseconds
	Epoch int64 // times it has been cleared
}

// Before reports whether f is the earlier.
func (f Fence) Before(o Fence) bool { return f.Born < o.Born || f.Born == o.Born && f.Epoch < o.Epoch }

// VectorSet is the rows of one session by one model. Two models never mix, nor do vectors
// of two lengths by a model of one name.
type VectorSet struct {
	Owner
	Model string
	Dim   int // length of the vectors
	Fence Fence
}

// VectorRow is the vector of one message, and what a search may limit itself to.
type VectorRow struct {
	Seq        int64
	Check      uint32    // of the text
	At         int64     // Unix microseconds
	Agent      bool      // the agent said it, else the user
	Importance int       // 0 to 3
	Vector     []float32 // not kept by who is given it
}

// StoredRow is a row that is there.
type StoredRow struct {
	Seq   int64
	Check uint32
	Fence Fence
}

// VectorDrop says which rows to delete: those of a user, of one of its scopes, or of one of
// the scope's sessions. The zero value deletes nothing.
type VectorDrop struct {
	Owner           // User is always given; Scope and Session may be zero, which is all of them
	Model  string   // of this model only; "": of all
	Dim    int      // with Model
	Seqs   []int64  // these messages only; nil: all. With Session
	Before *Fence   // those with an earlier fence only; nil: any
	Keep   []string // not those of these models
}

// VectorQuery is what a search asks for. Every zero field but those above Session limits
// nothing.
type VectorQuery struct {
	Scope  ID
	Model  string
	Vector []float32
	K      int // rows at most; 0: only those of Also

	Session, Exclude ID    // in this session only; not in this one
	Recent           ID    // of this session only messages
	RecentFrom       int64 // from this number on
	RecentBefore     int64 // and before this one
	NoUser, NoAgent  bool
	Since, Until     *int64 // Unix microseconds: at or after; before
	MinImportance    int

	Include []VectorKey // rows that are wanted whatever their rank and the limits
}

// VectorKey is where a row stands in its scope.
type VectorKey struct {
	Session ID
	Seq     int64
}

// VectorMatch is a row that was found.
type VectorMatch struct {
	VectorKey
	Check  uint32
	At     int64   // Unix microseconds
	Cosine float32 // in [-1,1]
}

// VectorCall is how one call to Vectors ended.
type VectorCall struct {
	Op       string // nearest, put, held, drop or owners
	Code     string // "": fine; timeout, unavailable, cancelled by its caller, or paused: not asked, for it failed just now
	Duration time.Duration
}
