package llm

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// The protocols that Options.API names. Ollama's is OpenAI's below /v1, which its address may leave
// out.
const (
	OpenAI = "openai"
	Azure  = "azure"
	Ollama = "ollama"
)

// azureVersion is the latest api-version of Azure OpenAI that is no preview, and the first that can
// enforce a JSON Schema.
// Source: https://learn.microsoft.com/azure/ai-services/openai/api-version-deprecation
const azureVersion = "2024-10-21"

// versionParam is the query parameter of an api-version.
const versionParam = "api-version"

// azureHosts are the suffixes of the names of Azure resources.
var azureHosts = []string{".openai.azure.com", ".cognitiveservices.azure.com"}

// ollamaPort is a port that only Ollama uses by default.
const ollamaPort = "11434"

// Service returns the names of the server (openai, azure, ollama, or its host) and of the model.
func (c *Client) Service() (provider, model string) {
	u, err := url.Parse(c.opts.BaseURL)
	if err != nil {
		return "", c.opts.Model // New has parsed it already
	}
	provider = u.Hostname()
	switch {
	case c.opts.API == Azure || isAzure(provider):
		provider = Azure
	case u.Port() == ollamaPort:
		provider = "ollama"
	case provider == "api.openai.com":
		provider = OpenAI
	}
	return provider, c.opts.Model
}

// locate determines the protocol of a server, and completes opts for it.
func locate(opts *Options) error {
	u, err := url.Parse(opts.BaseURL)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return errors.New("the model server's base URL is no http or https URL")
	}
	path, ollama := strings.TrimRight(u.Path, "/"), u.Port() == ollamaPort
	switch opts.API {
	case Ollama:
		opts.API, ollama = OpenAI, true
	case "":
		opts.API = OpenAI
		if isAzure(u.Hostname()) && !strings.HasSuffix(path, "/openai/v1") {
			opts.API = Azure
		}
	case OpenAI, Azure:
	default:
		return fmt.Errorf("unknown API %q of a model server; there are %s, %s and %s", opts.API, OpenAI, Azure, Ollama)
	}
	if opts.API == Azure {
		return locateAzure(opts, u)
	}
	query := u.Query()
	if opts.APIVersion == "" {
		opts.APIVersion = query.Get(versionParam)
	}
	if query.Del(versionParam); len(query) > 0 {
		return errors.New("the model server's base URL has a query")
	}
	u.RawQuery = ""
	opts.BaseURL = u.String()
	if ollama && (path == "" || path == "/api") { // /api is Ollama's own protocol
		u.Path, u.RawPath = "/v1", ""
		opts.BaseURL = u.String()
	}
	return nil
}

// isAzure reports whether a host is an Azure resource.
func isAzure(host string) bool {
	for _, ending := range azureHosts {
		if strings.HasSuffix(strings.ToLower(host), ending) {
			return true
		}
	}
	return false
}

// locateAzure accepts the address of any operation of a resource as that of the resource. If the
// address names a deployment, it must be the model.
func locateAzure(opts *Options, u *url.URL) error {
	if opts.APIVersion == "" {
		opts.APIVersion = u.Query().Get(versionParam)
	}
	if opts.APIVersion == "" {
		opts.APIVersion = azureVersion
	}
	before, after, _ := strings.Cut(u.Path+"/", "/openai/")
	if rest, ok := strings.CutPrefix(after, "deployments/"); ok {
		if deployment, _, _ := strings.Cut(rest, "/"); deployment != "" && deployment != opts.Model {
			return fmt.Errorf("the base URL names another deployment than the model %q", opts.Model)
		}
	}
	u.Path, u.RawPath, u.RawQuery = strings.TrimRight(before, "/"), "", ""
	opts.BaseURL = u.String()
	return nil
}
