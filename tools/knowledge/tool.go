package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/tools"
)

// The operations. A declaration names one by its key tool, or by its own name.
const (
	SearchOperation = "search_knowledge_base"
	ListOperation   = "list_documents"
)

// Types to which a search or a listing may be limited.
const (
	Conversations = "conversations"
	Documents     = "documents"
	All           = "all"
)

const (
	defaultLimit = 5
	maxLimit     = 50
	maxQuery     = 2000 // code points of a question; longer ones are cut
	maxText      = 4000 // code points of a result's text, likewise: fifty fit into a tool's result
)

// Library is the store that the tool searches. The implementation leaves the caller's session out.
type Library interface {
	// Search finds what is related to a text and visible to the caller, the best match first.
	Search(ctx context.Context, caller tools.Caller, query, searchType string, limit int) ([]Hit, error)
	// List lists all entries.
	List(ctx context.Context, caller tools.Caller, docType string, limit int) ([]Entry, error)
}

// Hit is one result of a search.
type Hit struct {
	Type      string // Conversations or Documents
	Source    string // the session's id, or the document's name
	Title     string
	Text      string // the summary of a conversation, or the passage of a document
	Excerpt   string // the part that fits the query
	Topics    []string
	Decisions []string
	Questions []string
	From, To  time.Time
	Score     float64 // similarity to the query, in [0,1]
}

// Entry is one line of a listing.
type Entry struct {
	Type     string
	Source   string
	Title    string
	Topics   []string
	From, To time.Time
}

// Tool is one operation over a library.
type Tool struct {
	name    string
	library Library
	run     func(*Tool, context.Context, tools.Call) (any, error)
}

var _ tools.Tool = (*Tool)(nil)

// New returns the tool of a declaration of kind knowledge.
func New(spec *config.Tool, library Library) (*Tool, error) {
	t := &Tool{name: spec.Name, library: library}
	switch operation := cmp.Or(spec.Remote, spec.Name); operation {
	case SearchOperation:
		t.run = (*Tool).search
	case ListOperation:
		t.run = (*Tool).list
	default:
		return nil, fmt.Errorf("tool %s: %q is no operation on knowledge; write tool: %s or tool: %s", spec.Name, operation, SearchOperation, ListOperation)
	}
	if library == nil {
		return nil, errors.New("a knowledge tool without a library")
	}
	return t, nil
}

// Call implements tools.Tool. Arguments of a search: query; search_type: conversations, documents
// or all (the default); limit: 1 to 50 (default 5). Arguments of a listing: doc_type, with the same
// values; limit. The result is {"results": [...], "count": n} or {"documents": [...], "count": n}.
func (t *Tool) Call(ctx context.Context, call tools.Call) (any, error) {
	if call.Caller.UserID == "" || call.Caller.AgentID == "" {
		return nil, &tools.Error{Code: tools.Denied, Tool: t.name, Detail: "nobody is named as the caller"}
	}
	return t.run(t, ctx, call)
}

func (t *Tool) search(ctx context.Context, call tools.Call) (any, error) {
	query, ok := call.Args["query"].(string)
	if !ok || strings.TrimSpace(query) == "" {
		return nil, t.invalid("query must be a text")
	}
	typ, limit, err := t.limits(call.Args, "search_type")
	if err != nil {
		return nil, err
	}
	found, err := t.library.Search(ctx, call.Caller, cut(query, maxQuery), typ, limit)
	if err != nil {
		return nil, t.failed(err)
	}
	results := make([]any, 0, len(found))
	for _, h := range found[:min(len(found), limit)] {
		results = append(results, map[string]any{
			"type": h.Type, "source": h.Source, "title": h.Title, "text": cut(h.Text, maxText), "excerpt": h.Excerpt, "score": math.Round(h.Score*1000) / 1000,
			"topics": texts(h.Topics), "decisions": texts(h.Decisions), "open_questions": texts(h.Questions),
			"from": date(h.From), "to": date(h.To),
		})
	}
	return map[string]any{"results": results, "count": float64(len(results))}, nil
}

func (t *Tool) list(ctx context.Context, call tools.Call) (any, error) {
	typ, limit, err := t.limits(call.Args, "doc_type")
	if err != nil {
		return nil, err
	}
	entries, err := t.library.List(ctx, call.Caller, typ, limit)
	if err != nil {
		return nil, t.failed(err)
	}
	list := make([]any, 0, len(entries))
	for _, e := range entries[:min(len(entries), limit)] {
		list = append(list, map[string]any{
			"type": e.Type, "source": e.Source, "title": e.Title, "topics": texts(e.Topics), "from": date(e.From), "to": date(e.To),
		})
	}
	return map[string]any{"documents": list, "count": float64(len(list))}, nil
}

// limits reads the arguments that both operations have.
func (t *Tool) limits(args map[string]any, typeName string) (typ string, limit int, err error) {
	typ, limit = All, defaultLimit
	if v := args[typeName]; v != nil {
		s, _ := v.(string)
		switch s {
		case Conversations, Documents, All:
			typ = s
		default:
			return "", 0, t.invalid(typeName + " must be conversations, documents or all")
		}
	}
	if v := args["limit"]; v != nil {
		n, ok := v.(float64)
		if !ok || n != math.Trunc(n) || n < 1 || n > maxLimit {
			return "", 0, t.invalid(fmt.Sprintf("limit must be a whole number from 1 to %d", maxLimit))
		}
		limit = int(n)
	}
	return typ, limit, nil
}

func (t *Tool) invalid(detail string) error {
	return &tools.Error{Code: tools.InvalidInput, Tool: t.name, Detail: detail}
}

// failed hides the text of the cause, which may quote messages.
func (t *Tool) failed(err error) error {
	code := tools.Unavailable
	if errors.Is(err, context.DeadlineExceeded) {
		code = tools.Timeout
	}
	return &tools.Error{Code: code, Tool: t.name, Detail: "the knowledge base could not be read", Retryable: true, Err: err}
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func date(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.DateOnly)
}

// cut shortens a text to n code points.
func cut(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}
