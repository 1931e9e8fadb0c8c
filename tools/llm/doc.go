// Package llm is the client of OpenAI-compatible model servers: OpenAI, Ollama, vLLM,
// llama.cpp and many more speak the same chat completions.
//
// [Client.Generate] answers a conversation, [Client.Stream] gives the answer in parts,
// [Client.Answer] asks for JSON of a schema, [Client.Embed] turns texts into vectors.
//
// # Servers
//
// A base URL whose host ends in .openai.azure.com or .cognitiveservices.azure.com is an Azure
// resource: the key goes into the header api-key, the model is the name of the deployment and part
// of the path, and every URL has an api-version. Only the host, a path before /openai and the
// api-version of such a base URL count, so the address that Azure shows can be pasted unchanged.
// Options.API marks a resource behind a gateway of another name. An Azure base URL that ends in
// /openai/v1 speaks the common protocol and is used unchanged. Ollama's base URL may end in /v1 or
// not.
//
// # Limits
//
// Calls are limited in time and in the size of the answer. A request that the server did not
// accept, with status 429 or 503 or a refused connection, is repeated up to Options.Retries times.
// The wait is that of Retry-After, or a short one that doubles; a wait of more than 10 seconds, or
// longer than the rest of the call's time, does not start, and the error has it as RetryAfter.
// Nothing is repeated after a part of an answer has arrived. Every error is a *tools.Error whose
// text holds no prompt, no answer, no URL and no key.
package llm
