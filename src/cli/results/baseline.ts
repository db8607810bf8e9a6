import { createBaseline } from '../../app/compare/baseline.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { BaselineCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeWholeFile } from '../terminal/write-file.ts';

/** `salvo baseline set` */
export async function baselineCommand(options: BaselineCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stdout } = terminal;
  const { baseline, text, file } = await createBaseline({ run: options.run, cwd, env });
  const target = options.out ?? file;
  await writeWholeFile(target, terminal, (write) => write(text));
  const path = options.out ?? displayPath(file, cwd);
  const count = baseline.scenarios.length;
  const scenarios = count === 1 ? '1 scenario' : `${count} scenarios`;
  stdout.write(`Wrote ${safeLine(path)}: ${scenarios} of run ${baseline.run_id}. Commit it, then compare with it:\n`);
  stdout.write(`  ${salvoCommand()} run --against ${safeLine(path)}\n`);
  return 0;
}
