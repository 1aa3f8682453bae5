package document

// Reformat writes a document in the layout of [Write], with the same content
// and, in YAML, with its comments. What is written so already stays as it is.
// With problems there is no result.
func Reformat(data []byte, f Format, l Limits) ([]byte, []Problem) {
	n, problems := Parse(data, f, l)
	if len(problems) > 0 {
		return nil, problems
	}
	if f == JSON {
		out, err := Write(n, JSON)
		if err != nil {
			return nil, []Problem{{Code: CodeUnsupported, Start: n.Start, Message: err.Error()}}
		}
		return out, nil
	}
	p := printer{comments: n.source.readComments(n)}
	p.root(n)
	return p.out, nil
}
