package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/slotway/slotway/memory"
)

// The bounds of searches and lists.
const (
	maxLimit = 100
	maxQuery = 4000 // code points
)

type searchArgs struct {
	Query         string      `json:"query"`
	Limit         int         `json:"limit"`
	Role          memory.Role `json:"role"`
	From          moment      `json:"from"`
	To            moment      `json:"to"`
	Tags          []string    `json:"tags"`
	MinImportance int         `json:"min_importance"`
	MinSimilarity *float64    `json:"min_similarity"`
}

// moment is a day or a time.
type moment struct{ time.Time }

// UnmarshalJSON implements json.Unmarshaler.
func (m *moment) UnmarshalJSON(data []byte) error {
	var text string
	err := json.Unmarshal(data, &text)
	if err == nil {
		m.Time, err = memory.ParseMoment(text)
	}
	return err
}

// search returns the search that the arguments ask for.
func (a *searchArgs) search(user string, limit int) (Search, error) {
	only, err := a.filter()
	if err == nil && a.MinSimilarity != nil && !(*a.MinSimilarity >= 0 && *a.MinSimilarity <= 1) {
		err = invalid("min_similarity is from 0 to 1")
	}
	return Search{User: user, Query: a.Query, Limit: limit, Only: only, MinSimilarity: a.MinSimilarity}, err
}

// filter returns the filter of the search.
func (a *searchArgs) filter() (memory.Filter, error) {
	f := memory.Filter{Since: a.From.Time, Until: a.To.Time, MinImportance: a.MinImportance}
	var err error
	if f.Tags, err = memory.CheckTags(a.Tags); err != nil {
		return f, invalid("tags are at most %d texts of 1 to %d characters, without commas", memory.MaxTags, memory.MaxTag)
	}
	switch a.Role {
	case "":
	case memory.User, memory.Agent:
		f.Roles = []memory.Role{a.Role}
	default:
		return f, invalid("role is user or agent")
	}
	if !a.To.IsZero() && a.To.Before(a.From.Time) {
		return f, invalid("to is before from")
	}
	if a.MinImportance < 0 || a.MinImportance > memory.MaxImportance {
		return f, invalid("min_importance is from 0 to %d", memory.MaxImportance)
	}
	return f, nil
}

// searchHandler runs search_memory.
func (s *Server) searchHandler(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	who, err := callerOf(ctx, req, scopeRead)
	if err != nil {
		return nil, err
	}
	var args searchArgs
	if err := readArgs(req, &args); err != nil {
		return nil, err
	}
	if strings.TrimSpace(args.Query) == "" || utf8.RuneCountInString(args.Query) > maxQuery {
		return nil, invalid("query is empty, or longer than %d characters", maxQuery)
	}
	limit, err := s.limit(args.Limit)
	if err != nil {
		return nil, err
	}
	asked, err := args.search(who, limit)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	found, err := s.deps.Search(ctx, asked)
	if err != nil {
		return nil, errUnavailable
	}
	if found == nil {
		found = []Found{}
	}
	var text strings.Builder
	for _, f := range found {
		fmt.Fprintf(&text, "%s %s (%s): %s\n", f.At.Format("2006-01-02"), f.Role, f.ConversationID, f.Text)
	}
	return list("results", found, text.String()), nil
}

// sessionsHandler runs list_sessions.
func (s *Server) sessionsHandler(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	who, err := callerOf(ctx, req, scopeRead)
	if err != nil {
		return nil, err
	}
	var args struct {
		Limit int `json:"limit"`
	}
	if err := readArgs(req, &args); err != nil {
		return nil, err
	}
	limit, err := s.limit(args.Limit)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, turnTimeout)
	defer cancel()
	sessions, err := s.deps.Sessions(ctx, who, limit)
	if err != nil {
		return nil, errUnavailable
	}
	if sessions == nil {
		sessions = []Session{}
	}
	var text strings.Builder
	for _, l := range sessions {
		fmt.Fprintf(&text, "%s %s (%d turns) %s\n", l.UpdatedAt.Format("2006-01-02"), l.ConversationID, l.Turns, l.Title)
	}
	return list("sessions", sessions, text.String()), nil
}

func list(name string, rows any, text string) *mcp.CallToolResult {
	if text == "" {
		text = "Nothing was found."
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}, StructuredContent: map[string]any{name: rows}}
}

// limit returns the number of rows to return.
func (s *Server) limit(asked int) (int, error) {
	switch {
	case asked == 0:
		return defaultLimit, nil
	case asked < 0 || asked > maxLimit:
		return 0, invalid("limit is not between 1 and %d", maxLimit)
	}
	return asked, nil
}
