import { setFlagsFromString } from 'node:v8';
import { type ImportProgress, importTraces } from '../../app/imports/import-traces.ts';
import { importText } from '../../report/imports/import-report.ts';
import { formatCount } from '../../stats/format.ts';
import type { ImportCommandOptions } from '../program/command-options.ts';
import { printResult } from '../terminal/print-result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `salvo import` */
export async function importCommand(options: ImportCommandOptions, terminal: Terminal): Promise<number> {
  const { cwd, env, stop } = terminal;
  // Otherwise V8 lets garbage grow to four times of what is in use before it collects it.
  setFlagsFromString('--heap-growing-percent=100');
  const progress = progressLine(terminal, options);
  const report = await importTraces({ ...options, cwd, env, stop, onProgress: progress.show }).finally(progress.clear);
  printResult({ json: options.json, kind: 'import', document: report, text: () => importText(report) }, terminal);
  return report.status === 'interrupted' ? 3 : 0;
}

const EVERY_MS = 200;

/** One line that changes, for a person who watches. */
function progressLine({ stderr }: Terminal, { quiet }: Pick<ImportCommandOptions, 'quiet'>) {
  let shownAt = Date.now();
  let isShown = false;
  return {
    show({ phase, conversations, total }: ImportProgress): void {
      if (quiet || !stderr.isTTY || Date.now() - shownAt < EVERY_MS) return;
      shownAt = Date.now();
      isShown = true;
      const of = total === null ? '' : ` of ${formatCount(total)}`;
      stderr.write(`\r${phase}: ${formatCount(conversations)}${of} conversations   `);
    },
    clear(): void {
      if (isShown) stderr.write(`\r${' '.repeat(60)}\r`);
    },
  };
}
