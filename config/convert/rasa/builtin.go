package rasa

import (
	"github.com/slotway/slotway/config/convert"
)

// builtins maps the usual names of intents to built-in ones.
var builtins = map[string]string{
	"greet": "greet", "greeting": "greet", "greetings": "greet", "hello": "greet", "hi": "greet",
	"goodbye": "goodbye", "bye": "goodbye", "good_bye": "goodbye", "say_goodbye": "goodbye", "farewell": "goodbye",
	"affirm": "affirm", "yes": "affirm", "affirmative": "affirm",
	"deny": "deny", "no": "deny", "negate": "deny", "negative": "deny",
	"thank": "thanks", "thanks": "thanks", "thankyou": "thanks", "thank_you": "thanks", "say_thanks": "thanks",
	"help": "help", "ask_help": "help",
	"restart": "reset", "start_over": "reset", "reset": "reset",
	"human_handoff": "human", "handoff": "human", "trigger_handoff": "human", "talk_to_human": "human", "request_human": "human",
	"contact_human": "human", "speak_to_human": "human", "agent_handoff": "human", "handover": "human",
	"stop": "cancel", "cancel": "cancel", "nevermind": "cancel", "never_mind": "cancel", "abort": "cancel",
	"repeat": "repeat", "skip": "skip",
}

// builtinTexts are the ids of the texts with which built-in intents answer.
var builtinTexts = map[string]string{
	"greet": "system.greet", "goodbye": "system.goodbye", "thanks": "system.thanks", "help": "system.help", "reset": "system.reset_done",
	"cancel": "system.cancelled", "human": "system.handoff", "affirm": "system.noted",
}

// builtinOf returns the built-in intent that an intent is, or "".
func builtinOf(intent string) string { return builtins[convert.Snake(intent)] }

// The intents of messages that match nothing.
const (
	outOfScope  = "out_of_scope"
	nluFallback = "nlu_fallback"
)

// ruled are the intents whose meaning Rasa itself gives.
var ruled = map[string]bool{nluFallback: true, "session_start": true, "back": true, "trigger_response_selector": true}
