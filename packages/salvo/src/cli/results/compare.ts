import { compareRuns } from '../../app/compare/compare.ts';
import { comparisonMarkdown, renderComparison } from '../../report/compare/compare-report.ts';
import type { CompareCommandOptions } from '../program/command-options.ts';
import { printResult, type Result } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { checkWritable, STANDARD_OUTPUT, writeWholeFile } from '../terminal/write-file.ts';

/** `salvo compare` */
export async function compareCommand(options: CompareCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env } = terminal;
  const isMarkdown = options.markdown === STANDARD_OUTPUT;
  await checkWritable([options.markdown, options.json ? STANDARD_OUTPUT : undefined], terminal);
  const comparison = await compareRuns({ ...options, cwd, env });
  const text: Result['text'] = (look) => (isMarkdown ? '' : renderComparison(comparison, look));
  printResult({ json: options.json, kind: 'compare', document: comparison, text }, terminal);
  await writeWholeFile(options.markdown, terminal, (write) => write(comparisonMarkdown(comparison)));
  return comparison.exit_code;
}
