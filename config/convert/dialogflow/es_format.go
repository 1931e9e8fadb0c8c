package dialogflow

// The parts of an ES export that are read, by the names that Dialogflow gives them.

type esAgent struct {
	Description string   `json:"description"`
	Language    string   `json:"language"`
	Others      []string `json:"supportedLanguages"`
	Timezone    string   `json:"defaultTimezone"`
	Name        string   `json:"displayName"`
	GoogleID    string   `json:"googleAssistantProjectId"`
	Webhook     struct {
		URL       string `json:"url"`
		Available bool   `json:"available"`
	} `json:"webhook"`
}

type esIntent struct {
	ID        string       `json:"id"`
	Parent    string       `json:"parentId"`
	Name      string       `json:"name"`
	Contexts  []string     `json:"contexts"`
	Responses []esResponse `json:"responses"`
	Webhook   bool         `json:"webhookUsed"`
	Fallback  bool         `json:"fallbackIntent"`
	Events    []esContext  `json:"events"`
	Priority  int          `json:"priority"`
	Handoff   bool         `json:"liveAgentHandoff"`
	UserSays  []esSentence `json:"userSays"` // older exports have them here
}

type esResponse struct {
	Action     string        `json:"action"`
	Contexts   []esContext   `json:"affectedContexts"`
	Parameters []esParameter `json:"parameters"`
	Messages   []esMessage   `json:"messages"`
}

// esContext names a context, or an event.
type esContext struct {
	Name string `json:"name"`
}

type esParameter struct {
	Name     string `json:"name"`
	Required bool   `json:"required"`
	Type     string `json:"dataType"`
	Value    string `json:"value"`
	Default  string `json:"defaultValue"`
	List     bool   `json:"isList"`
	Prompts  []struct {
		Language string `json:"lang"`
		Text     string `json:"value"`
	} `json:"prompts"`
}

type esMessage struct {
	Type     any    `json:"type"` // a number, in some exports as text
	Language string `json:"lang"`
	Speech   any    `json:"speech"`       // a text or a list of texts
	Spoken   any    `json:"textToSpeech"` // in messages for Google Assistant
	Platform string `json:"platform"`     // "": all
	Title    string `json:"title"`
	Replies  []string
}

type esSentence struct {
	Data []struct {
		Text        string `json:"text"`
		Alias       string `json:"alias"`
		Meta        string `json:"meta"`
		UserDefined bool   `json:"userDefined"`
	} `json:"data"`
	Template bool   `json:"isTemplate"`
	Language string `json:"lang"`
}

type esEntity struct {
	Name      string    `json:"name"`
	Regexp    bool      `json:"isRegexp"`
	Enum      bool      `json:"isEnum"`
	Expansion bool      `json:"automatedExpansion"`
	Fuzzy     bool      `json:"allowFuzzyExtraction"`
	Entries   []esEntry `json:"entries"` // older exports have them here
}

type esEntry struct {
	Value    string   `json:"value"`
	Synonyms []string `json:"synonyms"`
}
