import type { CompletedCommand, CompletedOption, Values } from './completed-commands.ts';

/** Works with `source <(...)` and as a file `_salvo` in a folder of `fpath`. */
export function zshScript(self: CompletedCommand, commands: CompletedCommand[]): string {
  return `#compdef salvo
# Completes salvo in zsh. In ~/.zshrc, after compinit: source <(salvo completion zsh)
_salvo() {
  local context state state_descr line
  typeset -A opt_args
  _arguments -C ${self.options.map(optionSpec).join(' ')} '1: :->command' '*:: :->arguments'
  case $state in
    command)
      local -a commands
      commands=(
${commands.map(({ name, description }) => `        ${quote(`${name}:${description}`)}\n`).join('')}      )
      _describe command commands
      ;;
    arguments)
      case $words[1] in
${commands.map(commandCase).join('')}      esac
      ;;
  esac
}
if [[ $funcstack[1] == _salvo ]]; then
  _salvo "$@"
else
  compdef _salvo salvo
fi
`;
}

function commandCase({ name, options, argument }: CompletedCommand): string {
  const specs = [...options.map(optionSpec), ...(argument === null ? [] : [quote(`*:${valueSpec(argument)}`)])];
  return `        ${name})\n          _arguments -S \\\n${specs.map((spec) => `            ${spec}`).join(' \\\n')}\n          ;;\n`;
}

/** Such as '(-n --trials)'{-n,--trials}'[trials per scenario]:n: '. */
function optionSpec({ names, description, takes, repeatable }: CompletedOption): string {
  const text = `[${description.replaceAll(/[[\]:\\]/g, '\\$&')}]${takes === null ? '' : `:${valueSpec(takes)}`}`;
  const [name = '', other] = names;
  const once = repeatable ? '*' : `(${names.join(' ')})`;
  if (other === undefined) return quote(`${once}${name}${text}`);
  return `${quote(once)}{${name},${other}}${quote(text)}`;
}

function valueSpec(values: Values): string {
  if (values.kind === 'choices') return `${values.name}:(${values.choices.join(' ')})`;
  return `${values.name}:${{ files: '_files', folders: '_files -/', unknown: ' ' }[values.kind]}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
