import { compareRuns } from '../../app/compare/compare.ts';
import { comparisonMarkdown, renderComparison } from '../../report/compare/compare-report.ts';
import type { CompareCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable, writeWholeFile } from '../terminal/write-file.ts';

/** `salvo compare` */
export async function compareCommand(options: CompareCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  await checkWritable([options.markdown], terminal);
  const comparison = await compareRuns({ ...options, cwd, env });
  printResult(
    { json: options.json, kind: 'compare', document: comparison, text: (look) => renderComparison(comparison, look) },
    terminal,
  );
  await writeWholeFile(options.markdown, terminal, (write) => write(comparisonMarkdown(comparison)));
  return comparison.exit_code;
}
