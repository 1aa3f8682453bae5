package durable

// doorkeeper takes up what other processes ask for.
func (e *Engine) doorkeeper(store Visited) {
	gate := e.runtime.Gate()
	for {
		if gate.Wait(e.outer, e.runtime.Now()+e.config.Doors) != ErrTime {
			return
		}
		list, err := store.Requests(e.outer, 100)
		if err != nil {
			if e.outer.Err() == nil {
				e.fail(err)
			}
			return
		}
		for _, r := range list {
			e.serve(store, r)
		}
	}
}
