package run

import "context"

// closedItem is the item where the forge says that it is closed, else "".
func (s *session) closedItem(ctx context.Context, item string) (string, error) {
	if s.forgeCommand() == "" || !s.Config.ConfigBool("agent.preflightforge") {
		return "", nil
	}
	answer, err := s.askForge(ctx, forgeQuestion{Verb: "item", Item: item})
	if err != nil || !answer.Closed {
		return "", err
	}
	return item, nil
}

func (s *session) forgeCommand() string {
	command, _ := s.Config.Config("agent.forge")
	return command
}
