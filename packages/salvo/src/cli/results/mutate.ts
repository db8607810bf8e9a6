import { mutateRun } from '../../app/mutate/mutate-run.ts';
import { renderMutation } from '../../report/mutate/mutate-report.ts';
import type { MutateCommandOptions } from '../program/command-options.ts';
import { createMutateProgress } from '../terminal/judge-progress.ts';
import { printResult, terminalLook } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo mutate` */
export async function mutateCommand(options: MutateCommandOptions, terminal: Terminal): Promise<number> {
  if (options.operators) {
    const { OPERATORS } = await import('../../mutate/operators/operators.ts');
    const { renderOperators } = await import('../../report/mutate/operators-report.ts');
    terminal.stdout.write(renderOperators(OPERATORS, terminalLook(terminal)));
    return 0;
  }
  const { cwd, env, stop, abort } = terminal;
  const { full, json } = options;
  const { onEvent, finish } = createMutateProgress(terminal, options);
  const document = await mutateRun({ ...options, cwd, env, stop, abort, onEvent }).finally(finish);
  printResult({ json, kind: 'mutate', document, text: (look) => renderMutation(document, { full }, look) }, terminal);
  return document.exit_code;
}
