# fish completion for `git-agent`; git-agent.conf.fish has `git agent`. Where
# nothing fits, fish offers files.

function __git_agent_offer
    set -l words (commandline -opc) (commandline -ct)
    git-agent __complete $words[2..-1] 2>/dev/null
end

complete -c git-agent -n 'test (count (__git_agent_offer)) -eq 0' -F
complete -c git-agent -f -n 'test (count (__git_agent_offer)) -gt 0' -a '(__git_agent_offer)'
