package durable

// doorkeeper takes up what other processes ask for.
func (e *Engine) doorkeeper(store Visited) {
	gate := e.runtime.Gate()
	for {
		if gate.Wait(e.context, e.runtime.Now()+e.config.Doors) != ErrTime {
			return
		}
		list, err := store.Requests(e.context, 100)
		if err != nil {
			e.fail(err)
			return
		}
		for _, r := range list {
			e.serve(store, r)
		}
	}
}
