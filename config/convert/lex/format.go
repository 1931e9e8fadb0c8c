package lex

// The parts of an export's files that are read, by the names that Lex gives them.

type botFile struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	IdleSeconds int    `json:"idleSessionTTLInSeconds"`
}

type localeFile struct {
	Name string `json:"name"` // of the language
}

type slotTypeFile struct {
	Name             string      `json:"name"`
	Parent           string      `json:"parentSlotTypeSignature"`
	SlotTypeValues   []typeValue `json:"slotTypeValues"`
	Selection        selection   `json:"valueSelectionSetting"`
	External         *struct{}   `json:"externalSourceSetting"`
	CompositeSetting *struct{}   `json:"compositeSlotTypeSetting"`
}

type typeValue struct {
	Sample   valueText   `json:"sampleValue"`
	Synonyms []valueText `json:"synonyms"`
}

type valueText struct {
	Value string `json:"value"`
}

type selection struct {
	Strategy string `json:"resolutionStrategy"`
	Regex    *struct {
		Pattern string `json:"pattern"`
	} `json:"regexFilter"`
}

type intentFile struct {
	Name         string        `json:"name"`
	Description  string        `json:"description"`
	Parent       string        `json:"parentIntentSignature"`
	Samples      []utterance   `json:"sampleUtterances"`
	Priorities   []priority    `json:"slotPriorities"`
	Confirmation *confirmation `json:"intentConfirmationSetting"`
	Closing      *closing      `json:"intentClosingSetting"`
	Initial      *initial      `json:"initialResponseSetting"`
	Fulfillment  *fulfillment  `json:"fulfillmentCodeHook"`
	Kendra       *struct{}     `json:"kendraConfiguration"`
	QnA          *struct{}     `json:"qnAIntentConfiguration"`
	Bedrock      *struct{}     `json:"bedrockAgentIntentConfiguration"`
	QInConnect   *struct{}     `json:"qInConnectIntentConfiguration"`
}

type utterance struct {
	Text string `json:"utterance"`
}

type priority struct {
	Priority int    `json:"priority"`
	Slot     string `json:"slotName"`
}

type confirmation struct {
	Prompt      *prompt   `json:"promptSpecification"`
	Declination *messages `json:"declinationResponse"`
	Active      *bool     `json:"isActive"`
}

type closing struct {
	Response *messages `json:"closingResponse"`
	Active   *bool     `json:"isActive"`
}

type initial struct {
	Response *messages `json:"initialResponse"`
}

type fulfillment struct {
	Enabled bool  `json:"enabled"`
	Active  *bool `json:"isActive"`
	Post    *struct {
		Success *messages `json:"successResponse"`
	} `json:"postFulfillmentStatusSpecification"`
}

type prompt struct{ messages }

type messages struct {
	Groups []group `json:"messageGroupsList"`
	Older  []group `json:"messageGroups"`
}

type group struct {
	Message    message   `json:"message"`
	Variations []message `json:"variations"`
}

type message struct {
	Plain  *valueText `json:"plainTextMessage"`
	SSML   *valueText `json:"ssmlMessage"`
	Custom *valueText `json:"customPayload"`
	Card   *card      `json:"imageResponseCard"`
}

type card struct {
	Title    string   `json:"title"`
	Subtitle string   `json:"subtitle"`
	Buttons  []button `json:"buttonsList"`
	Older    []button `json:"buttons"`
}

type button struct {
	Text  string `json:"text"`
	Value string `json:"value"`
}

type slotFile struct {
	Name     string `json:"name"`
	Type     string `json:"slotTypeName"`
	Multiple *struct {
		Allow bool `json:"allowMultipleValues"`
	} `json:"multipleValuesSetting"`
	Obfuscation *struct {
		Type string `json:"obfuscationSettingType"`
	} `json:"obfuscationSetting"`
	Elicitation struct {
		Constraint string      `json:"slotConstraint"`
		Prompt     *prompt     `json:"promptSpecification"`
		Samples    []utterance `json:"sampleUtterances"`

		Defaults *struct {
			List []struct {
				Value string `json:"defaultValue"`
			} `json:"defaultValueList"`
		} `json:"defaultValueSpecification"`
	} `json:"valueElicitationSetting"`
}

// all returns the groups under either name.
func (m *messages) all() []group {
	if m == nil {
		return nil
	}
	if len(m.Groups) > 0 {
		return m.Groups
	}
	return m.Older
}
