import { reevaluateRun } from '../../app/results/reevaluate.ts';
import { renderReevals } from '../../report/run/terminal/reeval-report.ts';
import type { ReevalCommandOptions } from '../program/command-options.ts';
import { printEstimate, printResult } from '../terminal/print-result.ts';
import { createReevalProgress } from '../terminal/run-progress.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo reeval` */
export async function reevalCommand(options: ReevalCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop, abort } = terminal;
  if (options.estimate) {
    const { estimateReevaluation } = await import('../../app/runs/estimate.ts');
    return await printEstimate(await estimateReevaluation({ ...options, cwd, env }), options, terminal);
  }
  const { onEvent, finish } = createReevalProgress(terminal, options);
  const request = { ...options, cwd, env, stop, abort, onEvent };
  const { run, verdict, exitCode, scenarios, budgetRefusal } = await reevaluateRun(request).finally(finish);
  const stopped = budgetRefusal === null ? '' : `Stopped: ${budgetRefusal}.\n`;
  printResult(
    {
      json: options.json,
      kind: 'reeval',
      document: { run_id: run.run_id, reeval_of: run.reeval_of, verdict, exit_code: exitCode, scenarios },
      text: (look) =>
        `${renderReevals(scenarios, look)}\n${stopped}Stored as run ${run.run_id}: ${verdict}. No agent was called.\n`,
    },
    terminal,
  );
  return exitCode;
}
