import type { CompletedCommand, CompletedOption, Values } from './completed-commands.ts';

export function fishScript(self: CompletedCommand, commands: CompletedCommand[]): string {
  const lines = [
    '# Completes salvo in fish. In ~/.config/fish/config.fish: salvo completion fish | source',
    'complete -c salvo -e',
    'complete -c salvo -f',
    ...self.options.map((option) => `complete -c salvo -n __fish_use_subcommand ${optionWords(option)}`),
    ...commands.map(
      ({ name, description }) => `complete -c salvo -n __fish_use_subcommand -a ${name} -d ${quote(description)}`,
    ),
    ...commands.flatMap(commandLines),
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines({ name, options, argument }: CompletedCommand): string[] {
  const inCommand = `complete -c salvo -n '__fish_seen_subcommand_from ${name}'`;
  const words = argument === null || argument.kind === 'unknown' ? [] : [`${inCommand} ${valueWords(argument)}`];
  return [...words, ...options.map((option) => `${inCommand} ${optionWords(option)}`)];
}

function optionWords({ names, description, takes }: CompletedOption): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = takes === null ? [] : [takes.kind === 'unknown' ? '-x' : `-r ${valueWords(takes)}`];
  return [...flags, ...values, `-d ${quote(description)}`].join(' ');
}

function valueWords(values: Values): string {
  if (values.kind === 'choices') return `-f -a ${quote(values.choices.join(' '))}`;
  return values.kind === 'folders' ? "-f -a '(__fish_complete_directories)'" : '-F';
}

function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}
