package dialogflow

import "slices"

// The parts of a CX export that are read, by the names that Dialogflow gives them.

type cxAgent struct {
	Name        string   `json:"displayName"`
	Description string   `json:"description"`
	Language    string   `json:"defaultLanguageCode"`
	Others      []string `json:"supportedLanguageCodes"`
	Timezone    string   `json:"timeZone"`
}

type cxEntity struct {
	Name      string `json:"displayName"`
	Kind      string `json:"kind"`
	Expansion string `json:"autoExpansionMode"`
	Fuzzy     bool   `json:"enableFuzzyExtraction"`
	Redact    bool   `json:"redact"`
	cxEntries        // older exports have them here
}

type cxEntries struct {
	Entities []esEntry `json:"entities"`
}

type cxIntent struct {
	Name       string        `json:"displayName"`
	Parameters []cxParameter `json:"parameters"`
	Fallback   bool          `json:"isFallback"`
	cxPhrases                // older exports have them here
}

type cxPhrases struct {
	Phrases []cxPhrase `json:"trainingPhrases"`
}

type cxPhrase struct {
	Parts []struct {
		Text  string `json:"text"`
		Param string `json:"parameterId"`
	} `json:"parts"`
	Language string `json:"languageCode"`
}

type cxParameter struct {
	ID       string `json:"id"`          // of an intent
	Name     string `json:"displayName"` // of a form
	Type     string `json:"entityType"`
	List     bool   `json:"isList"`
	Required bool   `json:"required"`
	Redact   bool   `json:"redact"`
	Default  any    `json:"defaultValue"`
	Fill     struct {
		Prompt   cxFulfillment `json:"initialPromptFulfillment"`
		Reprompt []cxHandler   `json:"repromptEventHandlers"`
	} `json:"fillBehavior"`
}

type cxFlow struct {
	Name     string      `json:"displayName"`
	Routes   []cxRoute   `json:"transitionRoutes"`
	Groups   []string    `json:"transitionRouteGroups"`
	Handlers []cxHandler `json:"eventHandlers"`
}

type cxGroup struct {
	Name   string    `json:"displayName"`
	Routes []cxRoute `json:"transitionRoutes"`
}

type cxPage struct {
	Name   string        `json:"displayName"`
	Entry  cxFulfillment `json:"entryFulfillment"`
	Routes []cxRoute     `json:"transitionRoutes"`
	Groups []string      `json:"transitionRouteGroups"`
	Form   struct {
		Parameters []cxParameter `json:"parameters"`
	} `json:"form"`
}

type cxRoute struct {
	Intent      string        `json:"intent"`
	Condition   string        `json:"condition"`
	Fulfillment cxFulfillment `json:"triggerFulfillment"`
	Page        string        `json:"targetPage"`
	Flow        string        `json:"targetFlow"`
}

type cxHandler struct {
	Event       string        `json:"event"`
	Fulfillment cxFulfillment `json:"triggerFulfillment"`
	Page        string        `json:"targetPage"`
	Flow        string        `json:"targetFlow"`
}

type cxFulfillment struct {
	Messages []cxMessage `json:"messages"`
	Webhook  string      `json:"webhook"`
	Tag      string      `json:"tag"`
}

// silent reports whether it does nothing besides saying something.
func (f *cxFulfillment) silent() bool {
	handoff := slices.ContainsFunc(f.Messages, func(m cxMessage) bool { return m.Handoff != nil })
	return f.Webhook == "" && !handoff
}

// empty reports whether it neither says nor does anything.
func (f *cxFulfillment) empty() bool { return f.silent() && len(f.Messages) == 0 }

type cxMessage struct {
	Text *struct {
		Text []string `json:"text"`
	} `json:"text"`
	Handoff  any    `json:"liveAgentHandoff"`
	Language string `json:"languageCode"`
	Channel  string `json:"channel"`
}

type cxTest struct {
	Name  string `json:"displayName"`
	Turns []struct {
		Input struct {
			Input struct {
				Text struct {
					Text string `json:"text"`
				} `json:"text"`
				Language string `json:"languageCode"`
			} `json:"input"`
		} `json:"userInput"`
		Output struct {
			Texts []struct {
				Text     []string `json:"text"`
				Invented bool     `json:"containAiGeneratedContent"`
			} `json:"textResponses"`
			Intent struct {
				Name string `json:"name"` // in exports the name that people see
				Old  string `json:"displayName"`
			} `json:"triggeredIntent"`
		} `json:"virtualAgentOutput"`
	} `json:"testCaseConversationTurns"`
}
