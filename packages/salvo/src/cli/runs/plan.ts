import { planRuns } from '../../app/runs/plan.ts';
import { renderPlan } from '../../report/run/terminal/plan-report.ts';
import type { PlanCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo plan` */
export async function planCommand(options: PlanCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const plan = await planRuns({ ...options, cwd, env });
  printResult({ json: options.json, kind: 'plan', document: plan, text: (look) => renderPlan(plan, look) }, terminal);
  return 0;
}
