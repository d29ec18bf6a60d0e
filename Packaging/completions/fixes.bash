
# What ArgumentParser's script leaves to do in bash.

# Readline ends a word at ":", "=" and "@", so that "gpio:gpiochip0:ME" comes as five. Here it is one again.
__sluice_whole_words() {
    local -a whole=()
    local rest=$COMP_LINE word part breaks= before=
    local -i index at=0
    for ((index = 0; index <= COMP_CWORD; index++)); do
        word=${COMP_WORDS[index]}
        if ((index == 0)) || [[ $rest == [[:space:]]* || ! ($word$before =~ ^[:=@]+ || $before =~ [:=@]$) ]]; then
            whole+=("")
        fi
        before=$word
        rest=${rest#"${rest%%[![:space:]]*}"}
        # Nothing behind the cursor.
        ((index < COMP_CWORD)) || word=${word:0:COMP_POINT - ${#COMP_LINE} + ${#rest}}
        rest=${rest#"$word"}
        at=${#whole[@]}-1
        whole[at]+=$word
    done
    # --gpio=gpiochip0 as two.
    if [[ ${whole[at]} == --*=* ]]; then
        whole+=("${whole[at]#*=}")
        whole[at]=${whole[at]%%=*}
        at+=1
    fi

    local -a COMP_WORDS=("${whole[@]}")
    local -i COMP_CWORD=$at
    local COMP_LINE="${whole[*]}"
    local -i COMP_POINT=${#COMP_LINE}
    local cur=${whole[at]}
    _sluice "${whole[0]}" "$cur" "${whole[at - 1]}"
    # It leaves a trap that would set options of the shell back after every "source".
    trap - RETURN

    # Readline puts the candidates behind the last of these characters, or in the place of an "@".
    for part in : = @; do [[ $COMP_WORDBREAKS != *"$part"* ]] || breaks+=$part; done
    if [[ -n $breaks ]]; then
        part=${cur%"${cur##*["$breaks"]}"}
        COMPREPLY=("${COMPREPLY[@]#"${part%@}"}")
    fi
    # More is to come.
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[:=@,] ]] || compopt -o nospace 2>/dev/null
}

# With its errors, which nobody could read there.
__sluice_custom_complete() { "${COMP_WORDS[0]}" "$@" "${COMP_WORDS[@]}" 2>/dev/null; }

# "compgen -W" would expand words, and run what stands in the name of a line.
__sluice_add_completions() {
    local candidate isFile=1
    if [[ $1 == -W ]]; then
        isFile=
        set -- "$2"
    else
        compopt -o filenames 2>/dev/null
        set -- "$(compgen "$@" -- "$cur")"
    fi
    while IFS= read -r candidate; do
        [[ -n $isFile || $candidate != *[!a-zA-Z0-9_.,:=@%+/-]* ]] || candidate=$(printf %q "$candidate")
        [[ -z $candidate || -z $isFile && $candidate != "$cur"* ]] || COMPREPLY+=("$candidate")
    done <<<"$1"
}

# Without "-o filenames": it puts a backslash before each colon.
complete -F __sluice_whole_words sluice
