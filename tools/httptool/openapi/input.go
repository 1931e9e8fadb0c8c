package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/slotway/slotway/config"
	"github.com/slotway/slotway/config/expr"
	"github.com/slotway/slotway/config/naming"
)

// maxAllOf limits the nesting of the parts of a request body.
const maxAllOf = 16

// runtimeHeaders are header parameters that are no arguments: OpenAPI leaves the first three to the
// media types and the security schemes (section 4.8.12.1 of 3.0.3); the journal sets the last.
var runtimeHeaders = []string{"accept", "content-type", "authorization", "idempotency-key"}

// input collects the arguments of an operation from its parameters and its body.
type input struct {
	*config.Derivation

	tool       *config.Tool
	op         *operation
	properties map[string]any
	required   []string
	defs       map[string]any // schemas that properties refer to
}

// parameters adds the parameters of the path and of the operation, which override the path's.
func (in *input) parameters() {
	type key struct{ name, in string }
	byKey := map[key]*openapi3.Parameter{}
	var order []key
	for _, ref := range slices.Concat(in.op.item.Parameters, in.op.Parameters) {
		if ref == nil || ref.Value == nil {
			continue
		}
		k := key{ref.Value.Name, ref.Value.In}
		if byKey[k] == nil {
			order = append(order, k)
		}
		byKey[k] = ref.Value
	}
	inPath := map[string]bool{}
	for _, k := range order {
		inPath[k.name] = inPath[k.name] || k.in == openapi3.ParameterInPath
		in.parameter(byKey[k])
	}
	for _, name := range placeholders(in.op.path) {
		if !inPath[name] {
			in.fault(fmt.Sprintf("the path has {%s}, but no parameter of that name", name), "correct the document")
		}
	}
}

func placeholders(path string) []string {
	var names []string
	for {
		_, after, found := strings.Cut(path, "{")
		if !found {
			return names
		}
		name, rest, _ := strings.Cut(after, "}")
		names, path = append(names, name), rest
	}
}

// parameter adds one parameter, unless the tool's declaration sets its value.
func (in *input) parameter(p *openapi3.Parameter) {
	t := in.tool
	_, given := t.Params[p.Name]
	switch {
	case p.In == openapi3.ParameterInQuery && (given || urlHasQuery(t, p.Name)),
		p.In == openapi3.ParameterInHeader && (hasHeader(t, p.Name) || slices.Contains(runtimeHeaders, strings.ToLower(p.Name))),
		p.In == openapi3.ParameterInCookie && hasHeader(t, "Cookie"):
		return
	}
	if why := unsendable(p); why != "" {
		if p.Required {
			in.fault(fmt.Sprintf("parameter %q %s", p.Name, why), "declare this tool with url and params instead")
		} else {
			in.Warn(fmt.Sprintf("optional parameter %q %s, so it is left out", p.Name, why), "declare this tool with url and params if it is needed")
		}
		return
	}
	if !in.argument(p.Name, p.Schema, p.Required) {
		return
	}
	arg := expr.Arg{Ref: []string{p.Name}}
	switch p.In {
	case openapi3.ParameterInQuery:
		if t.Params == nil {
			t.Params = map[string]expr.Arg{}
		}
		t.Params[p.Name] = arg
	case openapi3.ParameterInHeader:
		if t.HeaderParams == nil {
			t.HeaderParams = map[string]expr.Arg{}
		}
		t.HeaderParams[p.Name] = arg
	}
}

// unsendable returns why a parameter's form is not supported; "" if it is.
func unsendable(p *openapi3.Parameter) string {
	if p.Schema == nil {
		return "has a media type instead of a schema"
	}
	list := p.Schema.Value != nil && p.Schema.Value.Type != nil && p.Schema.Value.Type.Includes("array")
	object := p.Schema.Value != nil && p.Schema.Value.Type != nil && p.Schema.Value.Type.Includes("object")
	styles := map[string]string{openapi3.ParameterInPath: "simple", openapi3.ParameterInQuery: "form", openapi3.ParameterInHeader: "simple"}
	style, ok := styles[p.In]
	switch {
	case !ok:
		return "is sent in " + p.In
	case p.Style != "" && p.Style != style:
		return "has the style " + p.Style
	case object, list && p.In != openapi3.ParameterInQuery:
		return "is a list or an object in " + p.In
	case list && p.Explode != nil && !*p.Explode:
		return "is a list that is not exploded"
	}
	return ""
}

// body adds the properties of a JSON object, or any other JSON as the argument body.
func (in *input) body() {
	if in.op.RequestBody == nil || in.op.RequestBody.Value == nil || len(in.op.RequestBody.Value.Content) == 0 {
		return
	}
	declared := in.op.RequestBody.Value
	in.tool.BodyRequired = declared.Required
	media := jsonMedia(declared.Content)
	if media == nil {
		what := "the request body is not JSON but " + naming.JoinOr(slices.Sorted(maps.Keys(declared.Content)))
		if declared.Required {
			in.fault(what, "name an operation with a JSON body")
		} else {
			in.Warn(what+", so none is sent", "name an operation with a JSON body if one is needed")
		}
		return
	}
	properties, required := map[string]*openapi3.SchemaRef{}, []string{}
	if media.Schema == nil || !bodyProperties(media.Schema, properties, &required, 0) || len(properties) == 0 {
		if in.argument("body", media.Schema, declared.Required) {
			in.tool.Body = expr.Arg{Ref: []string{"body"}}
		}
		return
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		schema := properties[name]
		if schema != nil && schema.Value != nil && schema.Value.ReadOnly {
			continue // for answers only
		}
		if in.argument(name, schema, declared.Required && slices.Contains(required, name)) {
			in.tool.BodyParams = append(in.tool.BodyParams, name)
		}
	}
}

func jsonMedia(content openapi3.Content) *openapi3.MediaType {
	for _, name := range slices.Sorted(maps.Keys(content)) {
		media, _, _ := strings.Cut(strings.ToLower(name), ";")
		if media = strings.TrimSpace(media); media == "application/json" || strings.HasSuffix(media, "+json") {
			return content[name]
		}
	}
	return nil
}

// bodyProperties collects the properties of an object and of the parts of its allOf; false for
// anything but an object with properties.
func bodyProperties(ref *openapi3.SchemaRef, into map[string]*openapi3.SchemaRef, required *[]string, depth int) bool {
	if ref == nil || ref.Value == nil || depth > maxAllOf {
		return false
	}
	s := ref.Value
	object := s.Type == nil && (len(s.Properties) > 0 || len(s.AllOf) > 0) || s.Type != nil && s.Type.Is("object")
	if !object || len(s.OneOf)+len(s.AnyOf) > 0 || s.Not != nil {
		return false
	}
	maps.Copy(into, s.Properties)
	*required = append(*required, s.Required...)
	for _, part := range s.AllOf {
		if !bodyProperties(part, into, required, depth+1) {
			return false
		}
	}
	return true
}

// argument adds one argument under its own name; false if the name is taken.
func (in *input) argument(name string, schema *openapi3.SchemaRef, required bool) bool {
	if _, taken := in.properties[name]; taken {
		in.fault(fmt.Sprintf("two of its parameters and body properties have the name %q", name), "declare this tool with url, params and body instead")
		return false
	}
	in.properties[name] = in.schema(schema)
	if required {
		in.required = append(in.required, name)
	}
	return true
}

// finish builds the input schema.
func (in *input) finish() {
	all := map[string]any{"type": "object", "properties": in.properties, "additionalProperties": false}
	if len(in.required) > 0 {
		slices.Sort(in.required)
		list := make([]any, len(in.required))
		for i, name := range in.required {
			list[i] = name
		}
		all["required"] = list
	}
	if len(in.defs) > 0 {
		all["$defs"] = in.defs
	}
	in.tool.Input = all
}

func (in *input) fault(message, hint string) {
	in.Fault(fmt.Sprintf("operation %q: %s", in.tool.Operation, message), hint)
}
