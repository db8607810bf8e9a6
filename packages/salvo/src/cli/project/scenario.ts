import { type ScenarioFromTrace, scenarioFromTrace } from '../../app/from-trace/scenario-from-trace.ts';
import { isFile } from '../../app/project/read-text-file.ts';
import { displayPath } from '../../scenario/diagnostics/format-diagnostics.ts';
import { demandLine } from '../../scenario/from-trace/demand-line.ts';
import { formatPlural } from '../../stats/format.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { ScenarioCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable, writeWholeFile } from '../terminal/write-file.ts';

const WIDEST = 100;

/** `salvo scenario from` */
export async function scenarioCommand(options: ScenarioCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stdout, stderr } = terminal;
  const { force, dryRun, ...given } = options;
  const made = await scenarioFromTrace({ ...given, cwd, env });
  const path = displayPath(made.file, cwd);
  if (dryRun) stdout.write(made.text);
  else {
    if (!force && (await isFile(made.file))) {
      const message = `${path} exists. Overwrite it with {option:force}, or name another file with {option:out}.`;
      throw new SalvoError('FILE_NOT_WRITTEN', message);
    }
    await checkWritable([made.file], terminal);
    await writeWholeFile(made.file, terminal, (write) => write(made.text));
    stdout.write(`Wrote ${safeLine(path)} with ${formatPlural(made.assertions.length, 'assertion')}:\n`);
    for (const line of assertionLines(made)) stdout.write(`  ${line}\n`);
  }
  for (const note of made.notes) stderr.write(`${safeLine(note)}\n`);
  if (!dryRun) stdout.write(`\nNext:\n  ${salvoCommand()} run ${safeLine(shellQuote(path))}\n`);
  return 0;
}

const MARKS = { passed: '✓ passes', failed: '✕ fails', 'not tried': '· not tried' };

function assertionLines({ assertions }: ScenarioFromTrace): string[] {
  const width = Math.max(...Object.values(MARKS).map(({ length }) => length));
  return assertions.map(
    ({ assertion, verdict }) => `${MARKS[verdict].padEnd(width)}  ${safeLine(demandLine(assertion), WIDEST)}`,
  );
}
