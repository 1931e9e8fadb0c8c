package lex_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/slotway/slotway/config/convert/lex"
	"github.com/slotway/slotway/internal/test/converttest"
)

// Every export becomes an agent that loads.
func TestAnyExport(t *testing.T) {
	converttest.Loads(t, lex.Read, func(t *rapid.T) map[string]string {
		pick := func(list ...string) string { return rapid.SampledFrom(list).Draw(t, "part") }
		count := 0
		say := func(rest string) string {
			count++
			return said(fmt.Sprintf("Say %d%s", count, rest))
		}
		name := func() string { return pick(converttest.Names...) }
		files := map[string]string{"Bot.json": fmt.Sprintf(`{"name":%q}`, name()), "BotLocales/en_US/BotLocale.json": "{}"}
		for n := range rapid.IntRange(0, 3).Draw(t, "types") {
			files[fmt.Sprintf("BotLocales/en_US/SlotTypes/%d/SlotType.json", n)] = slotType(name(), pick("", `"resolutionStrategy":"ORIGINAL_VALUE"`, `"regexFilter":{"pattern":"[A-Z]{3}"}`))
		}
		for n := range 1 + rapid.IntRange(0, 4).Draw(t, "intents") {
			dir := fmt.Sprintf("BotLocales/en_US/Intents/%d/", n)
			files[dir+"Intent.json"] = intent(name(), pick("go {"+name()+"}", "hello", "yes", fmt.Sprintf("Say 7%d", n), fmt.Sprintf("Say 7%d {%s}", n, name()), "]("),
				pick("", `,"fulfillmentCodeHook":{"enabled":true}`), pick("", `,"intentConfirmationSetting":{"promptSpecification":`+say(" {"+name()+"}?")+`}`),
				pick("", `,"intentClosingSetting":{"closingResponse":`+say(" [if x].")+`}`), pick("", `,"parentIntentSignature":"AMAZON.HelpIntent"`))
			for s := range rapid.IntRange(0, 3).Draw(t, "slots") {
				files[fmt.Sprintf("%sSlots/%d/Slot.json", dir, s)] = slot(name(), pick(append(converttest.Names, "AMAZON.Date", "AMAZON.Number", "AMAZON.None")...), fmt.Sprintf("Say %d%d {%s}?", n+1, s, name()),
					pick("", `,"multipleValuesSetting":{"allowMultipleValues":true}`, `,"obfuscationSetting":{"obfuscationSettingType":"DefaultObfuscation"}`))
			}
		}
		return files
	})
}
