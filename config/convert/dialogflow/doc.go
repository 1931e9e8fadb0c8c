// Package dialogflow reads agents of Dialogflow ES and CX from an export: the zip file that the console
// makes, or the folder in it.
//
// An intent of ES with required parameters becomes a task: Dialogflow asks for them in the order of the
// file, then says its response or calls the webhook. Follow-up intents hang on contexts: the yes and no
// after a task become its confirmation, others are left to a person.
//
// In CX the routes of a flow begin tasks, the form of the page that a route leads to holds the params,
// and the route behind the form what follows.
package dialogflow
