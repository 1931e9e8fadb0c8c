package httpapi

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/slotway/slotway/memory"
)

// messageView is a message in an answer.
type messageView struct {
	Seq        int64             `json:"seq"`
	Turn       int64             `json:"turn,omitempty"`
	Role       memory.Role       `json:"role"`
	Text       string            `json:"text"`
	Timestamp  time.Time         `json:"timestamp"`
	Active     bool              `json:"active"`
	Name       string            `json:"name,omitempty"`
	ToolCalls  []callView        `json:"tool_calls,omitempty"`
	ToolCallID string            `json:"tool_call_id,omitempty"`
	Importance int               `json:"importance"`
	Tags       []string          `json:"tags,omitempty"`
	Metadata   map[string]string `json:"metadata,omitempty"`
}

type callView struct {
	ID   string          `json:"id"`
	Tool string          `json:"tool"`
	Args json.RawMessage `json:"args,omitempty"`
}

// viewMessages converts masked messages; those before floor are inactive.
func viewMessages(list []memory.Message, floor int64) []messageView {
	out := make([]messageView, len(list))
	for i := range list {
		m := &list[i]
		out[i] = messageView{
			Seq: m.Seq, Turn: m.Turn, Role: m.Role, Text: m.Text, Timestamp: m.Timestamp,
			Active: m.Seq >= floor && !m.Retracted, Name: m.Name, ToolCallID: m.ToolCallID, Metadata: m.Metadata,
			Importance: m.Importance, Tags: m.Tags(),
		}
		for _, c := range m.ToolCalls {
			out[i].ToolCalls = append(out[i].ToolCalls, callView(c))
		}
	}
	return out
}

// pageOf reads the parameters of a page.
func (q *query) pageOf(most int64) memory.Page {
	return memory.Page{
		After: q.number("after", 0, 0, 1<<53), Limit: int(q.number("limit", 100, 1, most)), Last: q.flag("last"),
	}
}

// messages returns a page of a session's messages.
func (a *API) messages(_ http.ResponseWriter, r *http.Request) (any, error) {
	q := readQuery(r, append([]string{"after", "limit", "inactive", "last"}, filterParams...)...)
	page := q.pageOf(500)
	page.Inactive = q.flag("inactive")
	only, masks := q.filter(), a.masks(q.reveal(r))
	l, list, at, err := paged(a, r, q, page, pager[memory.Message]{
		read: a.filtered(only, masks), number: func(m *memory.Message) int64 { return m.Seq }, size: messageSize,
	})
	if err != nil {
		return nil, err
	}
	return struct {
		Messages []messageView `json:"messages"`
		paging
	}{viewMessages(l.mask.Messages(list), l.snap.Floor), at}, nil
}
