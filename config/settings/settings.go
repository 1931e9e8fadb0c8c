package settings

import (
	"time"

	"github.com/slotway/slotway/config/source"
)

// Settings are the runtime's settings (as opposed to an agent's), layered from the defaults, a
// file, the environment and flags. They do not change after Load.
type Settings struct {
	AgentPath  string // of the agent's YAML; "": the embedded agent
	Server     Server
	Channels   Channels
	Models     Model
	Classifier Classifier
	Memory     Memory
	Tools      Tools
	Telemetry  Telemetry

	// Warnings list names of other systems that the file uses instead of ours.
	Warnings source.Problems

	sources map[string]string // by path, for settings that are not the default
}

// Model names the model servers; both are optional.
type Model struct {
	Chat  Chat
	Embed Embed
}

// Chat names an OpenAI-compatible model server.
type Chat struct {
	BaseURL, Model string
	APIKeyEnv      string // name of the variable that holds the key
	Timeout        time.Duration
}

// Embed says how texts become vectors.
type Embed struct {
	Provider       string // static, openai or ollama
	Model, BaseURL string
}

// Classifier holds the settings of the classifiers of all agents.
type Classifier struct {
	Encoder string // auto: if the processor makes it cheap; always or off
}

// Memory says what is remembered, where and for how long.
type Memory struct {
	Enabled          bool   // false: a turn sees only the current message
	Storage          string // inmem, sqlite or postgres
	StoragePath      string // of the SQLite file, ~ expanded
	DSN              string // of PostgreSQL
	DirectDSN        string // of the same database, not through a pooler; "": DSN
	MaxConnections   int    // of one process to PostgreSQL
	RequireSync      bool   // refuse a PostgreSQL that acknowledges a commit before a standby has it
	RedisURL         string // of a cache in front of PostgreSQL; "": none
	Durability       string // durable or relaxed
	EncryptionKeyEnv string // name of the variable that holds the key; "": not encrypted
	Strategy         string // simple, summarization or hybrid
	MaxTurns         int
	TTL              time.Duration
	MessageTTL       time.Duration // older messages leave the conversation; 0: never
	MaxConversations int
	Evict            string // whose least recently used conversations are erased above MaxConversations: none, user (each user's own), all
	MaxHistoryTokens int
	TokenCounter     string // estimate, or the name of an encoding that counts exactly
	AutoPruneDays    int    // 0: never
	Summary          Summary
	Compression      Compression
	VectorStore      Vectors
	RAG              RAG
	KnowledgeBase    Knowledge
}

// Summary says when and how old messages are summarised.
type Summary struct {
	Enabled             bool
	TriggerMessageCount int
	RecentMessageCount  int
	LLMModel            string
	MaxNarrativeTokens  int
}

// Compression says when summarised messages leave the window.
type Compression struct {
	Enabled              bool
	ThresholdTokens      int
	RecentMessagesToKeep int
	ArchiveConversations bool
}

// Vectors says whether texts are compared by meaning, and where their vectors are stored.
type Vectors struct {
	Enabled        bool   // false: searches use words alone, whatever the backend
	Backend        string // sqlite, pgvector or chromadb
	CollectionName string
	URL            string // of ChromaDB
	TokenEnv       string // name of the variable that holds its bearer token; "": none
}

// RAG says how much a turn recalls into its context.
type RAG struct {
	Enabled       bool
	TopK          int
	MinSimilarity float64 // in [0,1]; 0 is a value, not "unset"

	// Filters of recalled messages:
	Roles         []string      // whose words; none: both sides'
	Tags          []string      // that a message must have, all of them
	MinImportance int           // 0 to 3
	MaxAge        time.Duration // 0: any
}

// Knowledge holds the settings of archived conversations and documents.
type Knowledge struct {
	EnableCrossSessionContext bool
	RelevanceThreshold        float64 // in [0,1]
	ChunkSize, ChunkOverlap   int     // in tokens
	SearchTriggers            []string
	SearchAlways              bool // no trigger is needed
	Shared                    bool // with other agents over the same store, never with other users
	RerankProvider            string
	RerankModel               string
}

// Tools holds the settings of all tools of an agent.
type Tools struct {
	// AllowHosts are private targets that http, mcp and rasa_action tools may call, in the form of
	// ParseAllowedHost; none by default.
	AllowHosts []string
}

// Telemetry says where events go.
type Telemetry struct {
	Log          string // stderr, none or a file
	Level        string // debug, info, warn or error
	OTLPEndpoint string
	Metrics      bool
	IDKeyEnv     string // variable with the key for ids that are not shown; unset: a key in the data folder
}

// Value is one setting as `config show` lists it.
type Value struct {
	Path   string `json:"path"`
	Value  any    `json:"value"`  // JSON-normal; "(set)" if it may hold a password
	Source string `json:"source"` // default, flag, environment with the variable, or the file with its line
}

// Given reports whether a file, the environment or a flag set a setting.
func (s *Settings) Given(path string) bool { return s.sources[path] != "" }

// Origin returns what set a setting: a line of the file, a variable or a flag; "" for a default.
func (s *Settings) Origin(path string) string { return s.sources[path] }

// Values lists every setting in the order of the file.
func (s *Settings) Values() []Value {
	rows := s.rows()
	out := make([]Value, len(rows))
	for i, r := range rows {
		out[i] = Value{Path: r.path, Value: r.show(), Source: s.sources[r.path]}
		if out[i].Source == "" {
			out[i].Source = "default"
		}
	}
	return out
}

// Default returns the default settings. Paths still start with "~".
func Default() *Settings {
	return &Settings{
		Server:   defaultServer(),
		Channels: Channels{Settle: 150 * time.Millisecond, Twilio: Twilio{From: []string{}}},
		Models: Model{
			Chat:  Chat{APIKeyEnv: "OPENAI_API_KEY", Timeout: 20 * time.Second},
			Embed: Embed{Provider: "static"},
		},
		Classifier: Classifier{Encoder: "auto"},
		Memory: Memory{
			Enabled: true, Storage: "sqlite", StoragePath: "~/.slotway/memory.db", Durability: "durable", MaxConnections: 16,
			Strategy: "simple", MaxTurns: 8, TTL: time.Hour, MaxConversations: 500, Evict: "none",
			MaxHistoryTokens: 4096, TokenCounter: "estimate", AutoPruneDays: 30,
			Summary:     Summary{TriggerMessageCount: 20, RecentMessageCount: 10, MaxNarrativeTokens: 500},
			Compression: Compression{Enabled: true, ThresholdTokens: 10000, RecentMessagesToKeep: 10},
			VectorStore: Vectors{Enabled: true, Backend: "sqlite", CollectionName: "slotway"},
			RAG:         RAG{Enabled: true, TopK: 5, MinSimilarity: 0.7},
			KnowledgeBase: Knowledge{
				RelevanceThreshold: 0.7, ChunkSize: 800, ChunkOverlap: 100,
				SearchTriggers: []string{
					"what did we discuss", "previous conversation", "last time", "remind me", "we mentioned", "earlier you said",
					"previously", "in the past", "you told me", "we talked about", "as before",
				},
			},
		},
		Tools:     Tools{AllowHosts: []string{}},
		Telemetry: Telemetry{Log: "stderr", Level: "info", Metrics: true},
		sources:   map[string]string{},
	}
}
