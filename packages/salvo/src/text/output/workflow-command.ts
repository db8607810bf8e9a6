import { visibleText } from './plain-text.ts';

/**
 * A command that GitHub Actions reads from the output of a step, such as an annotation of a file. See
 * https://docs.github.com/actions/reference/workflow-commands: properties escape two more characters than messages.
 */
export function workflowCommand(command: {
  name: 'error' | 'warning' | 'notice';
  properties: readonly (readonly [name: string, value: string | number])[];
  message: string;
}): string {
  const properties = command.properties.map(
    ([name, value]) => `${name}=${escapeData(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${command.name} ${properties.join(',')}::${escapeData(command.message)}\n`;
}

function escapeData(text: string): string {
  return visibleText(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

/**
 * Text for the output of a step in which GitHub Actions finds no command, even if an agent wrote parts of it: `::` at
 * the beginning of a line (the runner skips blanks before it) becomes `: :`, and the older `##[` becomes `# #[`
 * anywhere. The text may arrive in parts, so the returned function remembers how the last line began.
 */
export function withoutWorkflowCommands(): (part: string) => string {
  let begun: 'blank' | 'colon' | 'text' = 'blank';
  return (part) =>
    part
      .split(/(?<=[\r\n])/)
      .map((line) => {
        const before = begun;
        const said = line.trimStart();
        if (/[\r\n]$/.test(line)) begun = 'blank';
        else if (before === 'blank' && said !== '') begun = said === ':' ? 'colon' : 'text';
        else if (line !== '' && before === 'colon') begun = 'text';
        const inert = line.replaceAll('##[', '# #[');
        if (before === 'blank' && said.startsWith('::')) return inert.replace('::', ': :');
        return before === 'colon' && line.startsWith(':') ? ` ${inert}` : inert;
      })
      .join('');
}
