# fish completion for `git-agent`; git-agent.conf.fish has `git agent`.

function __git_agent_offer
    set -l words (commandline -opc) (commandline -ct)
    set -l at (contains -i -- agent $words)
    if string match -q '*git-agent' -- $words[1]
        set at 1
    end
    set -l rest $words[(math $at + 1)..-1]
    git-agent __complete $rest 2>/dev/null
end

complete -c git-agent -n 'not __git_agent_offer | string length -q' -F
complete -c git-agent -f -n '__git_agent_offer | string length -q' -a '(__git_agent_offer)'
