// Package knowledge is the tool by which a plan looks into earlier conversations of the
// caller and into the agent's documents: kind "knowledge", with the operations
// [SearchOperation] and [ListOperation].
//
// Who asks is in the call itself and is set by the runtime; no argument names a user, so
// that no plan and nothing that was said can ask for another's conversations. The current
// session is left out.
package knowledge
