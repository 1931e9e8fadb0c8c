package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/slotway/slotway/config/naming"
	"github.com/slotway/slotway/config/source"
)

// rerankProviders are the values of memory.knowledge_base.rerank_provider. chat and azure use
// models.chat.base_url; so do openai and ollama if it is set, else their usual address.
var rerankProviders = []string{"chat", "openai", "azure", "ollama"}

func checkRerankProvider(name string) error {
	if !slices.Contains(rerankProviders, name) {
		return naming.Unknown("provider", showURL(name), rerankProviders)
	}
	return nil
}

// rerank checks that a server is named for the reranker.
func (l *settingsLoader) rerank() {
	const path = "memory.knowledge_base.rerank_provider"
	p := l.settings.Memory.KnowledgeBase.RerankProvider
	if (p == "chat" || p == "azure") && l.settings.Models.Chat.BaseURL == "" {
		l.reportAt(path, fmt.Sprintf("is %q, but models.chat.base_url names no server", p), "set models.chat.base_url, or leave rerank_provider out")
	}
}

// reportAt reports a problem at the place where the setting was set.
func (l *settingsLoader) reportAt(path, message, hint string) {
	l.problems = append(l.problems, source.Problem{Code: source.Invalid, Pos: l.setAt(path), Path: path, Message: message, Hint: hint, Severity: source.SeverityError})
}

// setAt returns the place where a setting was set.
func (l *settingsLoader) setAt(path string) source.Position {
	pos := source.Position{File: "settings"}
	if set := l.settings.sources[path]; set != "" {
		pos.File = set
		if at := strings.LastIndexByte(set, ':'); at > 0 {
			if line, err := strconv.Atoi(set[at+1:]); err == nil {
				pos = source.Position{File: set[:at], Line: line, Column: 1}
			}
		}
	}
	return pos
}
