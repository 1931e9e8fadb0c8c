package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// RerankProviders are the values of memory.knowledge_base.rerank_provider. chat and azure are
// at models.chat.base_url; openai and ollama are, where that is not set, where they usually are.
var RerankProviders = []string{"chat", "openai", "azure", "ollama"}

func checkRerankProvider(name string) error {
	if !slices.Contains(RerankProviders, name) {
		return unknownName("provider", showURL(name), RerankProviders)
	}
	return nil
}

// rerank checks that a server is named where a reranker is.
func (l *settingsLoader) rerank() {
	const path = "memory.knowledge_base.rerank_provider"
	p := l.settings.Memory.KnowledgeBase.RerankProvider
	if (p == "chat" || p == "azure") && l.settings.Models.Chat.BaseURL == "" {
		l.reportAt(path, fmt.Sprintf("is %q, but models.chat.base_url names no server", p), "set models.chat.base_url, or leave rerank_provider out")
	}
}

// reportAt reports a problem where the setting was set.
func (l *settingsLoader) reportAt(path, message, hint string) {
	l.problems = append(l.problems, Problem{Pos: l.setAt(path), Path: path, Message: message, Hint: hint, Severity: SeverityError})
}

// unused warns of a setting where it was set.
func (l *settingsLoader) unused(path, message, hint string) {
	l.settings.Warnings = append(l.settings.Warnings, Problem{Pos: l.setAt(path), Path: path, Message: message, Hint: hint, Severity: SeverityWarning})
}

// setAt is where a setting was set.
func (l *settingsLoader) setAt(path string) Position {
	pos := Position{File: "settings"}
	if source := l.settings.sources[path]; source != "" {
		pos.File = source
		if at := strings.LastIndexByte(source, ':'); at > 0 {
			if line, err := strconv.Atoi(source[at+1:]); err == nil {
				pos = Position{File: source[:at], Line: line, Column: 1}
			}
		}
	}
	return pos
}
