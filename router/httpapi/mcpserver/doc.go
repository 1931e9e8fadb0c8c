// Package mcpserver lets MCP clients (https://modelcontextprotocol.io) talk to an agent: each task and
// answer of the agent is a tool, beside send_message, search_memory and list_sessions.
//
// A tool of an intent takes the intent's params. None is required: for a missing one the result is
// `needs_input` with the question and the param's schema, or the question is put to the user at once
// if the client offers elicitation. A call alone never writes; it waits for a confirmation in the same
// way. What a client sends counts as much as the same said in words (router.StructuredInput).
//
// An answer belongs to the turn that asked: after_turn of send_message names it, and an answer in a
// form belongs to the question in the form. If the conversation went on meanwhile, the answer is not
// taken, and the result is an error, moved_on.
//
// A call without conversation_id begins a conversation, whose random id is in the result; with one it
// continues. A conversation belongs to the user of the request, so the id of another user's
// conversation names nothing.
//
// [Server.HTTP] speaks streamable HTTP: protocol 2026-07-28 without sessions, earlier ones with them.
// A session belongs to the user who opened it, ends when idle, and the number of sessions is bounded.
// [Server.Run] speaks over any other transport,
// such as stdio, for one user. The list of tools follows the agent: [Server.Refresh] tells clients
// that it has changed, and every request checks it, too.
package mcpserver
