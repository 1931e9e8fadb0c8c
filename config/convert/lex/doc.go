// Package lex reads bots of Amazon Lex V2 from an export: the zip file that its console and its API make,
// or the folder in it.
//
// Lex asks for the slots of an intent in the order of their priorities, then asks its confirmation
// prompt, then calls the fulfillment function, and says the closing response. The agent does the same:
// required params, confirm, call, respond. What a Lambda function does in between is in no export.
package lex
