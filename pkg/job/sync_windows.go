package job

// isNoSync: Windows has no such call for a folder; its file system journals names.
func isNoSync(error) bool { return true }
