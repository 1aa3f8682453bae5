package sqlite

func onNetwork(dir, name string) error {
	return refuse(CodeNetwork, nil, "keep the store on a local disk; others can reach it through detent",
		"%s is on a network file system (%s), where locks and syncs cannot be trusted", dir, name)
}
