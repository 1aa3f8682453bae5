package main

import "github.com/detent-run/detent/statechart"

// Assistant is what a conversation knows.
type Assistant struct {
	UserInput        string   `json:"userInput"`
	Intent           *Intent  `json:"intent"` // replaced, never changed
	SearchResults    []string `json:"searchResults"`
	GeneratedContent string   `json:"generatedContent"`
	RetryCount       int      `json:"retryCount"`
	MaxRetries       int      `json:"maxRetries"`
	Error            string   `json:"error"`
}

// Intent is what the user wants, and how sure the detector is: 0.8 and more
// is what it calls detected.
type Intent struct {
	Type       string  `json:"type"`
	Confidence float64 `json:"confidence"`
}

const apology = "I am sorry, the search does not answer. Please try again later."

// compile binds a form of the chart to its behaviour.
func compile(d statechart.Definition) (*statechart.Chart, error) {
	r := statechart.NewRegistry()
	statechart.Guard(r, "mayRetry", func(a *Assistant, _ statechart.Event) bool { return a.RetryCount < a.MaxRetries })
	for name, change := range map[string]func(*Assistant, statechart.Event){
		"configure": func(a *Assistant, _ statechart.Event) {
			if a.MaxRetries == 0 {
				a.MaxRetries = 3
			}
		},
		"storeText":    func(a *Assistant, e statechart.Event) { a.UserInput = text(e, "text") },
		"clearIntent":  func(a *Assistant, _ statechart.Event) { a.Intent, a.Error = nil, "" },
		"storeIntent":  func(a *Assistant, e statechart.Event) { a.Intent = intent(e) },
		"beginSearch":  func(a *Assistant, _ statechart.Event) { a.SearchResults, a.RetryCount = nil, a.RetryCount+1 },
		"storeResults": func(a *Assistant, e statechart.Event) { a.SearchResults, a.RetryCount = results(e), 0 },
		"storeError":   func(a *Assistant, e statechart.Event) { a.Error = "search failed: " + text(e, "error") },
		"storeContent": func(a *Assistant, e statechart.Event) { a.GeneratedContent = text(e, "content") },
		"resetRetries": func(a *Assistant, _ statechart.Event) { a.RetryCount = 0 },
		"apologise":    func(a *Assistant, _ statechart.Event) { a.GeneratedContent = apology },
		"clear":        func(a *Assistant, _ statechart.Event) { *a = Assistant{MaxRetries: a.MaxRetries} },
	} {
		statechart.Assign(r, name, change)
	}
	registerInvoking(r)
	return statechart.Compile(d, r)
}

// registerInvoking is what the chart with declared calls needs besides.
func registerInvoking(r *statechart.Registry) {
	statechart.Run(r, "raiseAnswer", func(_ *Assistant, s *statechart.Scope) error {
		e := s.Event()
		return s.Raise(statechart.Event{Name: text(e, "event"), Data: field(e, "data")})
	})
	statechart.Compute(r, "context", func(a *Assistant, _ statechart.Event) any {
		return map[string]any{"userInput": a.UserInput, "retryCount": a.RetryCount, "results": len(a.SearchResults)}
	})
}

func field(e statechart.Event, name string) any {
	data, _ := e.Data.(map[string]any)
	return data[name]
}

func text(e statechart.Event, name string) string {
	s, _ := field(e, name).(string)
	return s
}

func intent(e statechart.Event) *Intent {
	confidence, _ := field(e, "confidence").(float64)
	return &Intent{Type: text(e, "type"), Confidence: confidence}
}

func results(e statechart.Event) []string {
	list, _ := field(e, "results").([]any)
	var out []string
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}
