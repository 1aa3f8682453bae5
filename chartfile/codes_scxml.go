package chartfile

import "github.com/detent-run/detent/statechart"

// Codes of what only SCXML documents can have wrong.
const (
	CodeXML              statechart.Code = "xml_feature"       // document types, entities, processing instructions
	CodeUnknownElement   statechart.Code = "unknown_element"   // an element that SCXML does not have
	CodeUnknownAttribute statechart.Code = "unknown_attribute" // an attribute that its element does not have
	CodeNamespace        statechart.Code = "namespace"         // what is not in SCXML's namespace
	CodeDataModel        statechart.Code = "data_model"        // one that is not there, or cannot do this
	CodeFile             statechart.Code = "missing_file"      // what src names cannot be read
)

// ReadingSCXML is the moment of [Explanation.When] at which these are met.
const ReadingSCXML When = "when an SCXML document is read"

const onlySCXML = "only SCXML documents can have it, and these pages show chart files."

// scxmlCodes are the codes of SCXML documents.
var scxmlCodes = []Explanation{
	{
		Code: CodeXML, Title: "the document uses a feature of XML that charts do without", When: ReadingSCXML,
		Meaning:   "Document types, entities other than `&lt;`, `&gt;`, `&amp;`, `&quot;` and `&apos;`, processing instructions and XML 1.1 are refused: a document is what stands in it, and nothing is fetched or expanded to read it.",
		Remedy:    "Remove `<!DOCTYPE …>` and `<?…?>`, and write the character that an entity stood for, or its number: `&#160;`.",
		NoExample: onlySCXML,
	},
	{
		Code: CodeUnknownElement, Title: "an element that SCXML does not have", When: ReadingSCXML,
		Meaning:   "The element is in the namespace of SCXML, and the recommendation has none of that name. Mostly it is a slip.",
		Remedy:    "Take the name that the hint offers. Elements for other programs have a namespace of their own and are skipped, with a warning.",
		NoExample: onlySCXML,
	},
	{
		Code: CodeUnknownAttribute, Title: "an attribute that its element does not have", When: ReadingSCXML,
		Meaning:   "The recommendation does not have the attribute on this element.",
		Remedy:    "Take the name that the hint offers. Attributes for other programs have a prefix and are skipped, with a warning.",
		NoExample: onlySCXML,
	},
	{
		Code: CodeNamespace, Title: "something is not in the namespace of SCXML", When: ReadingSCXML,
		Meaning:   "An SCXML document is in the namespace `http://www.w3.org/2005/07/scxml`. One without any is read all the same, with a warning; what is in another is skipped, with a warning; an element of SCXML without a namespace, in a document that has it, is an error.",
		Remedy:    "Write `xmlns=\"http://www.w3.org/2005/07/scxml\"` into `<scxml>`, and no other `xmlns` below it.",
		NoExample: onlySCXML,
	},
	{
		Code: CodeDataModel, Title: "the data model is not there, or cannot do this", When: ReadingSCXML,
		Meaning:   "A document names the language of its expressions with `datamodel`. Without one it has no values at all: no variables, no expressions, and of conditions only `In('ID')`. Scripts need a language with statements.",
		Remedy:    "Write `datamodel=\"detent\"` for the language of chart files. `ecmascript` is a module of its own, which a Go program adds.",
		NoExample: onlySCXML,
	},
	{
		Code: CodeFile, Title: "a file that is named cannot be read", When: ReadingSCXML,
		Meaning:   "The `src` of `<data>` and `<script>` is read together with the document; what cannot be read makes the document invalid. The `src` of `<invoke>` is left to the host where the file is not there, with a warning.",
		Remedy:    "Put the file beside the document, and name it by its path from there.",
		NoExample: onlySCXML,
	},
}
