import type { CompletedCommand, CompletedOption, Values } from './completed-commands.ts';

/** Needs no other package. Only `compopt` is newer than bash 3.2, and there is another way without it. */
export function bashScript(self: CompletedCommand, commands: CompletedCommand[]): string {
  return `# Completes salvo in bash. In ~/.bashrc: source <(salvo completion bash)
_salvo() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command='' options='' values=''
  # --format=json arrives as three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  if (( COMP_CWORD > 1 )); then command="\${COMP_WORDS[1]}"; fi
  case "$command" in
    '')
      options='${optionNames(self.options)}' values='${commands.map(({ name }) => name).join(' ')}' ;;
${commands.map(commandCase).join('')}  esac
  COMPREPLY=()
  if [[ $values == '<files>' && $current != -* ]]; then
    if ! compopt -o default 2>/dev/null; then
      local IFS=$'\\n'
      COMPREPLY=($(compgen -f -- "$current"))
    fi
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$values" -- "$current"))
  fi
}
complete -F _salvo salvo
`;
}

function commandCase({ name, options, argument }: CompletedCommand): string {
  const takers = options.flatMap(({ names, takes }) => (takes === null ? [] : [{ names, words: wordsOf(takes) }]));
  const cases = [...Map.groupBy(takers, ({ words }) => words)].map(
    ([words, same]) => `        ${same.flatMap(({ names }) => names).join(' | ')}) options='' values='${words}' ;;\n`,
  );
  const byOption = cases.length === 0 ? '' : `\n      case "$previous" in\n${cases.join('')}      esac`;
  const values = argument === null ? '' : wordsOf(argument);
  return `    ${name})\n      options='${optionNames(options)}' values='${values}'${byOption} ;;\n`;
}

function optionNames(options: CompletedOption[]): string {
  return options.flatMap(({ names }) => names).join(' ');
}

/** bash completes a folder as a file: a path may begin with any folder. */
function wordsOf(values: Values): string {
  if (values.kind === 'choices') return values.choices.join(' ');
  return values.kind === 'unknown' ? '' : '<files>';
}
