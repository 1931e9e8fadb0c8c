// Package mcpserver lets MCP clients (https://modelcontextprotocol.io) talk to an agent:
// each task and answer of the agent is a tool, beside send_message, search_memory and
// list_sessions.
//
// A tool of an intent takes the intent's params. None is required: what is missing comes
// back as `needs_input` with the question and the param's schema, or is asked in place
// where the client offers elicitation. A write is never made by the call alone; it waits
// for a yes in the same way. What a client sends is worth no more than the same said in
// words (router.StructuredInput).
//
// An answer to a question is one to the turn that asked: after_turn of send_message says which
// that was, and an answer given in place belongs to the question in the form. Where the
// conversation went on meanwhile it is not said, and the result is an error, moved_on.
//
// A call without conversation_id begins a conversation, whose id is random and comes back;
// with one it goes on. A conversation belongs to the user that the request comes from, so
// an id of another user's conversation names nothing.
//
// [Server.HTTP] speaks streamable HTTP: protocol 2026-07-28 without sessions, earlier ones
// with them. A session belongs to the user who opened it, ends when idle, and there is a
// most of them; a user who opens more than one's share loses those used least recently.
// [Server.Run] speaks over any other transport, such as stdio, for one user.
// The list of tools follows the agent: [Server.Refresh] tells clients that it has changed,
// and every request looks too.
package mcpserver
