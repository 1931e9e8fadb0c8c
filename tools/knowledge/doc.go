// Package knowledge lets a plan search the caller's earlier conversations and the agent's
// documents: kind "knowledge", with the operations [SearchOperation] and [ListOperation].
//
// The runtime sets the caller of a call; no argument names a user, so no plan and no message can
// ask for another user's conversations. The current session is left out.
package knowledge
