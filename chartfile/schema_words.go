package chartfile

// refusedKeywords are those that a chart cannot use, with what to do instead.
var refusedKeywords = map[string]string{
	"$dynamicRef": "use $ref", "$dynamicAnchor": "use $anchor", "$recursiveRef": "use $ref", "$recursiveAnchor": "use $anchor",
	"unevaluatedItems": "use items after prefixItems", "unevaluatedProperties": "use additionalProperties",
	"dependencies": "use dependentRequired or dependentSchemas", "additionalItems": "use items after prefixItems",
}

// silentKeywords say nothing about what fits.
var silentKeywords = []string{"title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "$comment", "note", "format",
	"contentEncoding", "contentMediaType", "contentSchema", "$vocabulary"}

// sayingKeywords are all others, for hints.
var sayingKeywords = []string{"type", "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
	"maxLength", "pattern", "properties", "patternProperties", "additionalProperties", "propertyNames", "required", "dependentRequired",
	"dependentSchemas", "minProperties", "maxProperties", "prefixItems", "items", "contains", "minContains", "maxContains", "minItems",
	"maxItems", "uniqueItems", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "$defs", "$id", "$schema", "$anchor", "definitions"}

var typeWords = []string{"array", "boolean", "integer", "null", "number", "object", "string"}
