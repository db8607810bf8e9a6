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
