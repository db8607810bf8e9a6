import { createBaseline } from '../../app/compare/baseline.ts';
import { type BaselineScenario, passRateOf } from '../../run/compare/baseline.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { formatCount, formatPercent, formatPlural } from '../../stats/format.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { BaselineCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeWholeFile } from '../terminal/write-file.ts';

/** `salvo baseline set` */
export async function baselineCommand(options: BaselineCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stdout } = terminal;
  const { run, out, force } = options;
  const { baseline, text, file } = await createBaseline({ run, out, force, cwd, env });
  await writeWholeFile(out ?? file, terminal, (write) => write(text));
  const path = out ?? displayPath(file, cwd);
  const scenarios = formatPlural(baseline.scenarios.length, 'scenario');
  stdout.write(`Wrote ${safeLine(path)}: ${scenarios} of run ${baseline.run_id}.\n`);
  for (const scenario of baseline.scenarios) stdout.write(`  ${safeLine(rateLine(scenario))}\n`);
  stdout.write('Commit it, then compare with it:\n');
  stdout.write(`  ${salvoCommand()} run --against ${safeLine(path)}\n`);
  return 0;
}

/** `triage (steady): 93%, 186 of 200 trials of 40 cases passed` */
function rateLine(scenario: BaselineScenario): string {
  const { name, model, cases } = scenario;
  const { rate, passed, scored } = passRateOf(scenario);
  const of = cases.length > 1 ? ` of ${formatPlural(cases.length, 'case')}` : '';
  return `${name} (${model}): ${formatPercent(rate)}, ${formatCount(passed)} of ${formatPlural(scored, 'trial')}${of} passed`;
}
