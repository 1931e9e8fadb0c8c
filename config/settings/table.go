package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// row binds one path to its field and says which values the field allows.
type row struct {
	path   string
	field  any      // pointer
	oneOf  []string // for a list: each of its items
	min    float64
	max    float64            // 0: no limit
	check  func(string) error // for a list: of each item
	secret bool               // may hold a password: not shown
	home   bool               // a path in which ~ is the home folder
}

// rows is the table of all settings, in the order of the file.
func (s *Settings) rows() []row {
	chat, embed, m, t := &s.Models.Chat, &s.Models.Embed, &s.Memory, &s.Telemetry
	sum, com, vec, rag, kb := &m.Summary, &m.Compression, &m.VectorStore, &m.RAG, &m.KnowledgeBase
	agent := []row{{path: agentPath, field: &s.AgentPath, home: true}}
	return append(slices.Concat(agent, s.Server.rows(), s.Channels.rows()), []row{
		{path: "models.chat.base_url", field: &chat.BaseURL, check: checkURL},
		{path: "models.chat.model", field: &chat.Model},
		{path: "models.chat.api_key_env", field: &chat.APIKeyEnv, check: checkEnvName},
		{path: "models.chat.timeout", field: &chat.Timeout},
		{path: "models.embed.provider", field: &embed.Provider, oneOf: []string{"static", "openai", "ollama"}},
		{path: "models.embed.model", field: &embed.Model},
		{path: "models.embed.base_url", field: &embed.BaseURL, check: checkURL},
		{path: "classifier.encoder", field: &s.Classifier.Encoder, oneOf: []string{"auto", "always", "off"}},
		{path: "memory.enabled", field: &m.Enabled},
		{path: "memory.storage", field: &m.Storage, oneOf: []string{"inmem", "sqlite", "postgres"}},
		{path: "memory.storage_path", field: &m.StoragePath, home: true},
		{path: "memory.dsn", field: &m.DSN, secret: true},
		{path: "memory.direct_dsn", field: &m.DirectDSN, secret: true},
		{path: "memory.max_connections", field: &m.MaxConnections, min: 2, max: 1000},
		{path: "memory.require_sync", field: &m.RequireSync},
		{path: "memory.redis_url", field: &m.RedisURL, secret: true},
		{path: "memory.durability", field: &m.Durability, oneOf: []string{"durable", "relaxed"}},
		{path: "memory.encryption_key_env", field: &m.EncryptionKeyEnv, check: checkEnvName},
		{path: "memory.strategy", field: &m.Strategy, oneOf: []string{"simple", "summarization", "hybrid"}},
		{path: "memory.max_turns", field: &m.MaxTurns, min: 1, max: 1000},
		{path: "memory.ttl", field: &m.TTL},
		{path: "memory.max_conversations", field: &m.MaxConversations, min: 1},
		{path: "memory.message_ttl", field: &m.MessageTTL},
		{path: "memory.evict", field: &m.Evict, oneOf: []string{"none", "user", "all"}},
		{path: "memory.max_history_tokens", field: &m.MaxHistoryTokens, min: 1},
		{path: "memory.token_counter", field: &m.TokenCounter, oneOf: []string{"estimate", "cl100k_base", "o200k_base"}},
		{path: "memory.auto_prune_days", field: &m.AutoPruneDays, max: 36500},
		{path: "memory.summary.enabled", field: &sum.Enabled},
		{path: "memory.summary.trigger_message_count", field: &sum.TriggerMessageCount, min: 1},
		{path: "memory.summary.recent_message_count", field: &sum.RecentMessageCount},
		{path: "memory.summary.llm_model", field: &sum.LLMModel},
		{path: "memory.summary.max_narrative_tokens", field: &sum.MaxNarrativeTokens, min: 1},
		{path: "memory.compression.enabled", field: &com.Enabled},
		{path: "memory.compression.threshold_tokens", field: &com.ThresholdTokens, min: 1},
		{path: "memory.compression.recent_messages_to_keep", field: &com.RecentMessagesToKeep},
		{path: "memory.compression.archive_conversations", field: &com.ArchiveConversations},
		{path: "memory.vector_store.enabled", field: &vec.Enabled},
		{path: "memory.vector_store.backend", field: &vec.Backend, oneOf: []string{"sqlite", "pgvector", "chromadb"}},
		{path: "memory.vector_store.collection_name", field: &vec.CollectionName},
		{path: "memory.vector_store.url", field: &vec.URL, check: checkURL},
		{path: "memory.vector_store.token_env", field: &vec.TokenEnv, check: checkEnvName},
		{path: "memory.rag.enabled", field: &rag.Enabled},
		{path: "memory.rag.top_k", field: &rag.TopK, min: 1, max: 1000},
		{path: "memory.rag.min_similarity", field: &rag.MinSimilarity, max: 1},
		{path: "memory.rag.roles", field: &rag.Roles, oneOf: []string{"user", "agent"}},
		{path: "memory.rag.tags", field: &rag.Tags, check: checkTag},
		{path: "memory.rag.min_importance", field: &rag.MinImportance, max: 3},
		{path: "memory.rag.max_age", field: &rag.MaxAge},
		{path: "memory.knowledge_base.enable_cross_session_context", field: &kb.EnableCrossSessionContext},
		{path: "memory.knowledge_base.relevance_threshold", field: &kb.RelevanceThreshold, max: 1},
		{path: "memory.knowledge_base.chunk_size", field: &kb.ChunkSize, min: 1},
		{path: "memory.knowledge_base.chunk_overlap", field: &kb.ChunkOverlap},
		{path: "memory.knowledge_base.search_triggers", field: &kb.SearchTriggers},
		{path: "memory.knowledge_base.search_always", field: &kb.SearchAlways},
		{path: "memory.knowledge_base.shared", field: &kb.Shared},
		{path: "memory.knowledge_base.rerank_provider", field: &kb.RerankProvider, check: checkRerankProvider},
		{path: "memory.knowledge_base.rerank_model", field: &kb.RerankModel},
		{path: "tools.allow_hosts", field: &s.Tools.AllowHosts, check: checkAllowedHost},
		{path: "telemetry.log", field: &t.Log, home: true},
		{path: "telemetry.level", field: &t.Level, oneOf: []string{"debug", "info", "warn", "error"}},
		{path: "telemetry.otlp_endpoint", field: &t.OTLPEndpoint, check: checkURL},
		{path: "telemetry.metrics", field: &t.Metrics},
		{path: "telemetry.id_key_env", field: &t.IDKeyEnv, check: checkEnvName},
	}...)
}

// truths are the words for true and false in environment variables.
var truths = map[string]bool{
	"true": true, "1": true, "t": true, "yes": true, "y": true, "on": true,
	"false": false, "0": false, "f": false, "no": false, "n": false, "off": false,
}

// set parses text into the field. The error ends in a remedy after "; ".
func (r row) set(text string) error {
	switch f := r.field.(type) {
	case *string:
		return r.setText(f, text)
	case *[]string:
		list, err := readList(text)
		if err != nil {
			return err
		}
		return r.setList(f, list)
	case *bool:
		v, ok := truths[strings.ToLower(text)]
		if !ok {
			return fmt.Errorf("%q is not true or false; write true or false", text)
		}
		*f = v
	case *int:
		v, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("%q is no whole number; write digits only", text)
		}
		*f = v
		return r.inRange(float64(v))
	case *float64:
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(v) {
			return fmt.Errorf("%q is no number; write one such as 0.7", text)
		}
		*f = v
		return r.inRange(v)
	case *time.Duration:
		v, err := source.ParseDuration(text)
		if err != nil {
			return err
		}
		*f = v
	case *Size:
		v, err := parseSize(text)
		if err != nil {
			return err
		}
		*f = v
		return r.inRange(float64(v))
	case *Rate:
		v, err := parseRate(text)
		if err != nil {
			return err
		}
		*f = v
	}
	return nil
}

func (r row) setText(f *string, text string) error {
	if err := r.allows(text); err != nil {
		return err
	}
	*f = text
	return nil
}

func (r row) setList(f *[]string, items []string) error {
	for _, item := range items {
		if err := r.allows(item); err != nil {
			return err
		}
	}
	*f = items
	return nil
}

func (r row) allows(text string) error {
	if r.oneOf != nil && !slices.Contains(r.oneOf, text) {
		return naming.Unknown("value", text, r.oneOf)
	}
	if r.check != nil && text != "" {
		return r.check(text)
	}
	return nil
}

func (r row) inRange(v float64) error {
	show := func(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
	if v < r.min {
		return fmt.Errorf("%s is below the least value %s; raise it", show(v), show(r.min))
	}
	if r.max > 0 && v > r.max {
		return fmt.Errorf("%s is above the greatest value %s; lower it", show(v), show(r.max))
	}
	return nil
}

// show returns the field as a JSON-normal value.
func (r row) show() any {
	switch f := r.field.(type) {
	case *string:
		if r.secret && *f != "" {
			return "(set)"
		}
		return showURL(*f)
	case *[]string:
		list := make([]any, len(*f))
		for i, s := range *f {
			list[i] = showURL(s)
		}
		return list
	case *bool:
		return *f
	case *int:
		return float64(*f)
	case *float64:
		return *f
	case *time.Duration:
		return shortDuration(*f)
	case *Size:
		return f.String()
	case *Rate:
		return f.String()
	}
	return nil
}

// shortDuration drops zero units at the end: 1h0m0s becomes 1h.
func shortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// readList parses a list of texts: items separated by commas, or the form of ShowList.
func readList(text string) ([]string, error) {
	if !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return splitList(text), nil
	}
	n, problems := source.Parse("", []byte(text))
	if len(problems) > 0 || n.Kind() != source.KindList {
		return nil, errors.New("it is no list; write a, b or [a, b]")
	}
	list := make([]string, 0, len(n.Items()))
	for _, item := range n.Items() {
		if item.Kind() != source.KindText {
			return nil, fmt.Errorf("an item is %s, not text; put it in quotes", item.Kind())
		}
		list = append(list, item.Text())
	}
	return list, nil
}

// ShowList formats a list of texts so that a list setting can read it.
func ShowList(items []any) string {
	list := make([]string, len(items))
	for i, item := range items {
		text := fmt.Sprint(item)
		if list[i] = text; !bareItem.MatchString(text) || slices.Contains(notTexts, strings.ToLower(text)) {
			quoted, _ := json.Marshal(text) // encoding a text cannot fail
			list[i] = string(quoted)
		}
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// bareItem is a text that needs no quotes in a YAML list, unless it is one of notTexts.
var bareItem = regexp.MustCompile(`^[A-Za-z][\w/-]*( [\w/-]+)*$`)

var notTexts = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func splitList(text string) []string {
	list := []string{}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

func checkAddr(s string) error {
	if _, port, err := net.SplitHostPort(s); err == nil {
		if n, err := strconv.Atoi(port); err == nil && n >= 0 && n <= 65535 {
			return nil
		}
	}
	return fmt.Errorf("%q is no address; write HOST:PORT such as 127.0.0.1:8080", showURL(s))
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("it is no URL; write http://HOST or https://HOST")
	}
	return nil
}

// checkEnvName does not quote the text that it refuses: it may be the key itself.
func checkEnvName(s string) error {
	if !naming.IsName(s) {
		return fmt.Errorf("it is no name of an environment variable; write the variable's name, not its value")
	}
	return nil
}

// checkTag refuses a tag that no message can have.
func checkTag(tag string) error {
	if tag == "" || utf8.RuneCountInString(tag) > maxTag || strings.Contains(tag, ",") || tag != strings.TrimSpace(tag) {
		return fmt.Errorf("%q is no tag; a tag has 1 to %d characters and no comma", tag, maxTag)
	}
	return nil
}

// maxTag is the maximum number of characters in a tag, as in package memory.
const maxTag = 64
