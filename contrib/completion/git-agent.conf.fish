# `git agent <TAB>` in fish, which has no hook for other people's subcommands:
# read when a shell starts (conf.d), it adds to the completion of git.

function __git_agent_is_next
    contains -- agent (commandline -opc)[2..-1]
end

function __git_agent_offer_git
    set -l words (commandline -opc) (commandline -ct)
    set -l at (contains -i -- agent $words)
    git-agent __complete $words[(math $at + 1)..-1] 2>/dev/null
end

complete -c git -f -n __git_agent_is_next -a '(__git_agent_offer_git)'
