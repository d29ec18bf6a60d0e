/// A shell whose Tab key asks the program for words.
///
/// The script of each gives the words up to the cursor to the program, and shows what it answers (``CompletionAnswer``).
/// Only files are looked for by the shell itself.
package enum Shell: String, CaseIterable {
  case bash, zsh, fish

  /// The script for a program.
  func script(_ program: String) -> String {
    let text =
      switch self {
      case .bash: Self.bashScript
      case .zsh: Self.zshScript
      case .fish: Self.fishScript
      }
    return text.replacing("PROGRAM", with: program).replacing("COMPLETE", with: ArgumentProgram.completing)
  }

  private static let bashScript = #"""
    # Readline ends a word at ":", "=" and "@", so that "gpio:gpiochip0:ME" comes as five. Here it is one again.
    _PROGRAM() {
        local -a whole=() answer=()
        local rest=$COMP_LINE word part breaks= before= cur candidate
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
        cur=${whole[at]}
        COMPREPLY=()

        # With its errors, which nobody could read there.
        mapfile -t answer < <("${whole[0]}" COMPLETE bash "${whole[@]:1}" 2>/dev/null)
        case ${answer[0]-} in
        words)
            # "compgen -W" would expand words, and run what stands in the name of a line.
            for candidate in "${answer[@]:1}"; do
                [[ $candidate == "$cur"* || $(printf %q "$candidate") == "$cur"* ]] || continue
                [[ $candidate != *[!a-zA-Z0-9_.,:=@%+/-]* ]] || candidate=$(printf %q "$candidate")
                COMPREPLY+=("$candidate")
            done
            ;;
        files | folders)
            # It puts a backslash before each colon, so that it is for files only.
            compopt -o filenames 2>/dev/null
            part=${answer[1]-}
            while IFS= read -r candidate; do
                [[ -d $candidate || ${#answer[@]} -le 2 || " ${answer[*]:2} " == *" ${candidate##*.} "* ]] || continue
                [[ -z $candidate ]] || COMPREPLY+=("$part$candidate")
            done < <(if [[ ${answer[0]} = files ]]; then compgen -f -- "${cur#"$part"}"; else compgen -d -- "${cur#"$part"}"; fi)
            ;;
        esac

        # Readline puts the candidates behind the last of these characters, or in the place of an "@".
        for part in : = @; do [[ $COMP_WORDBREAKS != *"$part"* ]] || breaks+=$part; done
        if [[ -n $breaks ]]; then
            part=${cur%"${cur##*["$breaks"]}"}
            COMPREPLY=("${COMPREPLY[@]#"${part%@}"}")
        fi
        # More is to come.
        [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *[:=@,] ]] || compopt -o nospace 2>/dev/null
    }
    complete -F _PROGRAM PROGRAM

    """#

  private static let zshScript = #"""
    #compdef PROGRAM
    _PROGRAM() {
        setopt localoptions extendedglob
        local -a answer whole open
        local candidate
        answer=("${(@f)$("${(Q)words[1]}" COMPLETE zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
        case ${answer[1]} in
        words)
            # After ":", "=", "@" or "," more is to come, and so no space.
            for candidate in "${(@)answer[2,-1]}"; do
                # Up to the first colon without a backslash, where the description begins.
                if [[ ${(M)candidate##([^\\:]|\\?)#} == *[:=@,] ]]; then open+=("$candidate"); else whole+=("$candidate"); fi
            done
            _describe -V '' whole -- open -S ''
            ;;
        files | folders)
            [[ -z ${answer[2]} ]] || compset -p ${#answer[2]}
            if [[ ${answer[1]} == folders ]]; then
                _files -/
            elif (( ${#answer} > 2 )); then
                _files -g "*.(${(j:|:)answer[3,-1]})"
            else
                _files
            fi
            ;;
        esac
    }
    if [[ "${funcstack[1]}" == _PROGRAM ]]; then _PROGRAM "$@"; else compdef _PROGRAM PROGRAM; fi

    """#

  private static let fishScript = #"""
    function __PROGRAM_complete
        set -l words (commandline -opc)
        set -l current (commandline -ct)
        set -l answer (command $words[1] COMPLETE fish $words[2..-1] "$current" 2>/dev/null)
        switch "$answer[1]"
            case words
                test (count $answer) -lt 2; or printf '%s\n' $answer[2..-1]
            case files folders
                set -l part "$answer[2]"
                set -l typed (string sub -s (math (string length -- "$part") + 1) -- "$current")
                for file in (if test $answer[1] = files; __fish_complete_path "$typed"; else; __fish_complete_directories "$typed"; end)
                    set -l name (string split -m1 \t -- $file)[1]
                    if test (count $answer) -le 2; or string match -q '*/' -- $name; or contains -- (string split -r -m1 . -- $name)[-1] $answer[3..-1]
                        printf '%s\n' "$part$file"
                    end
                end
        end
    end
    complete -c PROGRAM -f -a '(__PROGRAM_complete)'

    """#
}
