import { checkWritable, printResult, type Terminal, writeWholeFile } from 'salvo/kit/cli';
import { toMarkdown } from 'salvo/kit/report-files';
import { harmlessJson } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { scanCode } from '../app/games/scan-code.ts';
import { knownFindingsText } from '../report/scan/known-findings.ts';
import { renderScan, scanReport } from '../report/scan/scan-report.ts';
import { scanSarif } from '../report/scan/scan-sarif.ts';
import type { ScanSheet } from '../report/scan/scan-sheet.ts';
import { withBlueCommand } from './program/blue-command.ts';
import type { ScanCommandOptions } from './program/command-options.ts';
import { unlessStopped } from './terminal/exit-code.ts';

const EXIT_CODES: Record<ScanSheet['status'], number> = { passed: 0, failed: 1, unscored: 3, unreadable: 3 };

/** `salvo scan` */
export async function scanCommand(options: ScanCommandOptions, terminal: Terminal): Promise<number> {
  const { json, sarif, markdown, all, writeKnown, standard, ...rest } = options;
  await checkWritable([sarif, markdown, writeKnown], terminal);
  const { cwd, env, stop } = terminal;
  const sheet = await unlessStopped(
    'The scan',
    terminal,
    scanCode({ ...withBlueCommand(rest), standards: standard, cwd, env, signal: stop }),
  );
  if (sheet === null) return 3;
  await writeWholeFile(writeKnown, terminal, (write) => write(knownFindingsText(sheet.findings ?? [])));
  await writeWholeFile(sarif, terminal, (write) => write(`${harmlessJson(scanSarif(sheet), 2)}\n`));
  await writeWholeFile(markdown, terminal, (write) => write(toMarkdown(scanReport(sheet, { all }))));
  printResult(
    { json, kind: kindOf('scan'), document: sheet, text: (look) => renderScan(sheet, look, { all }) },
    terminal,
  );
  // What was just written down does not fail a pipeline.
  return writeKnown !== undefined && sheet.status === 'failed' ? 0 : EXIT_CODES[sheet.status];
}
