package settings

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// For every name in the settings files of the seeds a warning gives ours. A file with something that our settings
// cannot say is refused, with the remedy.
func TestSeedFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/seeds/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			name := archive.Files[0].Name
			if err := os.WriteFile(name, archive.Files[0].Data, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Load(name, []string{"HOME=/home/ann"}, nil)
			var got strings.Builder
			told := ""
			switch {
			case err != nil:
				told = err.Error() + "\n"
			case len(s.Warnings) > 0:
				told = s.Warnings.Error() + "\n"
			}
			for _, v := range valuesOf(s) {
				if v.Source != "default" {
					fmt.Fprintf(&got, "%s: %v (%s)\n", v.Path, v.Value, v.Source)
				}
			}
			if *update {
				archive.Files[1].Data, archive.Files[2].Data = []byte(got.String()), []byte(told)
				t.Chdir(filepath.Join(packageDir, "."))
				if err := os.WriteFile(path, txtar.Format(archive), 0o600); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(archive.Files[1].Data), got.String()); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(archive.Files[2].Data), told); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

var update = flag.Bool("update", false, "rewrite the expected settings")

// packageDir is the package's folder, whatever the test's.
var packageDir, _ = os.Getwd()

// What is ours wins over another system's name, and what is nobody's is refused as ever.
func TestAliasesAndNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slotway.yaml")
	load := func(text string) (*Settings, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return Load(path, []string{"HOME=/home/ann"}, nil)
	}
	s, err := load("models: {chat: {model: ours}, embed: {provider: static}}\nmodel: theirs\nmemory: {enabled: true, vector_store: {embedding_provider: openai}}\n")
	if err != nil || s.Models.Chat.Model != "ours" || s.Models.Embed.Provider != "static" || !s.Memory.Enabled {
		t.Errorf("%+v, %v: the settings' own names do not win", s, err)
	}
	for text, want := range map[string]string{
		"arc: {reactor: {memory: {sumary: {enabled: true}}}}":         `unknown key "sumary", did you mean "summary"?`,
		"memory: {summary: {trigger-count: 3}}":                       `unknown key "trigger-count"`,
		"knowledge_base: {rerank_provider: nobody}":                   `unknown provider "nobody"`,
		"resource_config: {knowledge_base: {vector_provider: faiss}}": `unknown value "faiss"`,
		"memory: {vector_store: {backend: chromadb}}":                 "is needed for backend chromadb",
		"compression: {threshold-tokens: many}":                       `"many" is no whole number`,
		"resource_config: [memory]":                                   "is a list, not a map",
		"memory: {summary: {trigger-message-count: 3, TRIGGER: 4}}":   `unknown key "TRIGGER"`,
	} {
		if _, err := load(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
}

// Names with dots, as a properties file has them, are taken in a file and as a flag, and so is
// another system's word for a value.
func TestDottedNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slotway.yaml")
	text := "arc.reactor.memory.summary.enabled: true\narc.reactor.memory.summary:\n  trigger-message-count: 30\nmemory.max_turns: 5\narc:\n  reactor.memory.summary.llm-model: small\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, []string{"HOME=/h"}, map[string]string{
		"arc.reactor.memory.summary.recent-message-count": "7", "knowledge_base.rerank_provider": "azure_openai_cc", "models.chat.base_url": "http://h",
	})
	if err != nil {
		t.Fatal(err)
	}
	m := &s.Memory
	if !m.Summary.Enabled || m.Summary.TriggerMessageCount != 30 || m.Summary.RecentMessageCount != 7 || m.MaxTurns != 5 || m.Summary.LLMModel != "small" {
		t.Errorf("%+v", m.Summary)
	}
	told := s.Warnings.Error()
	for _, want := range []string{
		"arc.reactor.memory.summary.enabled: is another system's name; write memory.summary.enabled",
		"memory.max_turns: is another system's name; write memory.max_turns", "arc: is another system's name; write what is below it at the top level",
		"flag: warning: arc.reactor.memory.summary.recent-message-count: is another system's name; write memory.summary.recent_message_count",
		`has another system's value azure_openai_cc; write azure`,
	} {
		if !strings.Contains(told, want) {
			t.Errorf("nothing is told like %q", want)
		}
	}
	if t.Failed() {
		t.Log(told)
	}
	for text, flag := range map[string]string{"arc.reactor.memory.sumary.enabled: true": "", "": "arc.reactor.memory.sumary.enabled"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		flags := map[string]string{}
		if flag != "" {
			flags[flag] = "true"
		}
		if _, err := Load(path, []string{"HOME=/h"}, flags); err == nil {
			t.Errorf("%q, %q: taken", text, flag)
		}
	}
	s, err = Load("", []string{"HOME=/h"}, map[string]string{"memory.knowledge_base.rerank_provider": "azure_openai_cc", "models.chat.base_url": "http://h"})
	if err != nil || s.Memory.KnowledgeBase.RerankProvider != "azure" {
		t.Errorf("%q, %v", s.Memory.KnowledgeBase.RerankProvider, err)
	}
}

// The words for yes and no of variables.
func TestEnableMemory(t *testing.T) {
	for value, want := range map[string]bool{"true": true, "1": true, "Yes": true, "y": true, "on": true, "false": false, "0": false, "no": false, "N": false, "off": false} {
		s, err := Load("", []string{"HOME=/home/ann", "ENABLE_MEMORY=" + value}, nil)
		if err != nil || s.Memory.Enabled != want {
			t.Errorf("ENABLE_MEMORY=%s: %v, want %v", value, err, want)
		}
	}
	for _, value := range []string{"perhaps", "", "\r"} {
		_, err := Load("", []string{"HOME=/home/ann", "ENABLE_MEMORY=" + value}, nil)
		if err == nil || !strings.Contains(err.Error(), "ENABLE_MEMORY") || !strings.Contains(err.Error(), "write true or false") {
			t.Errorf("ENABLE_MEMORY=%q: %v, want a problem that names it and the values", value, err)
		}
	}
}

// The phrases that the third seed looks for in other conversations by itself.
func TestSeedTriggers(t *testing.T) {
	triggers := Default().Memory.KnowledgeBase.SearchTriggers
	for _, phrase := range []string{"what did we discuss", "previous conversation", "last time", "remind me", "we mentioned", "earlier you said"} {
		if !slices.Contains(triggers, phrase) {
			t.Errorf("%q is no trigger: %v", phrase, triggers)
		}
	}
}

// valuesOf returns the settings that loaded; nil: none did.
func valuesOf(s *Settings) []Value {
	if s == nil {
		return nil
	}
	return s.Values()
}
