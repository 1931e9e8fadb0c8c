// Package llm is the client of OpenAI-compatible model servers: OpenAI, Ollama, vLLM,
// llama.cpp and many more speak the same chat completions.
//
// [Client.Generate] answers a conversation, [Client.Stream] gives the answer in parts,
// [Client.Answer] asks for JSON of a schema, [Client.Embed] turns texts into vectors.
//
// # Servers
//
// A base URL whose host ends in .openai.azure.com or .cognitiveservices.azure.com is an
// Azure resource: the key goes into the header api-key, the model is the deployment's name
// and stands in the path, and every URL has an api-version. Of such a base URL only the
// host, a path before /openai and the api-version count, so that the address that Azure
// shows can be pasted as it is. A resource behind a gateway of another name is told with
// Options.API. An Azure base URL that ends in /openai/v1 speaks the common protocol and is
// taken as it is. Ollama's base URL may be given with /v1 or without.
//
// # Bounds
//
// Calls are bounded in time and in the size of the answer. A request that the server did
// not take up, which are statuses 429 and 503 and a refused connection, is made again up
// to Options.Retries times. The wait is what Retry-After asks for, or a short one that
// doubles; a wait of more than 10 seconds, or that the call's time does not allow, is not
// begun, and the error has it as RetryAfter. Nothing is asked again once a part of an
// answer has come. Every error is a *tools.Error whose text holds no prompt, no answer, no
// URL and no key.
//
// Tests of this package's callers replay recorded exchanges with package recorded.
package llm
