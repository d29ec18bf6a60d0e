# What ArgumentParser's script leaves to do in zsh: after ":", "=", "@" or "," more is to come, and so no space.
__sluice_complete() {
    local -a whole open
    local candidate
    for candidate; do
        # Up to the first colon without a backslash, where the description begins.
        if [[ ${(M)candidate##([^\\:]|\\?)#} == *[:=@,] ]]; then open+=("$candidate"); else whole+=("$candidate"); fi
    done
    _describe -V '' whole -- open -S ''
}

