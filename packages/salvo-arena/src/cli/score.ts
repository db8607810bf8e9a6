import { checkWritable, documentJson, printResult, type Terminal, writeWholeFile } from 'salvo/kit/cli';
import { harmlessJson } from 'salvo/kit/text';
import { kindOf } from '../app/documents/document-kinds.ts';
import { scoreFiles } from '../app/scoring/score-files.ts';
import { renderScores, scoreReport } from '../report/score/score-report.ts';
import { scoreDocument } from '../report/score/score-sheet.ts';
import type { ScoreCommandOptions } from './program/command-options.ts';
import { gateExitCode, unlessStopped } from './terminal/exit-code.ts';

/** `salvo score` */
export async function scoreCommand(options: ScoreCommandOptions, terminal: Terminal): Promise<number> {
  const { out, markdown, sarif, json } = options;
  await checkWritable([out, markdown, sarif], terminal);
  const { cwd, env, stop } = terminal;
  const sheet = await unlessStopped('The scoring', terminal, scoreFiles({ ...options, cwd, env, signal: stop }));
  if (sheet === null) return 3;
  const document = scoreDocument(sheet);
  await writeWholeFile(out, terminal, (write) => write(documentJson(kindOf('score'), document)));
  await writeWholeFile(markdown, terminal, async (write) =>
    write((await import('salvo/kit/report-files')).toMarkdown(scoreReport(sheet))),
  );
  await writeWholeFile(sarif, terminal, async (write) => {
    const { scoreSarif } = await import('../report/score/score-sarif.ts');
    await write(`${harmlessJson(scoreSarif(sheet), 2)}\n`);
  });
  printResult({ json, kind: kindOf('score'), document, text: (look) => renderScores(sheet, look) }, terminal);
  if (options.view) {
    // Imported only here: without --view, no server is needed.
    const { serveResult } = await import('salvo/kit/viewer-command');
    const { viewedScore } = await import('../server/result-routes.ts');
    await serveResult(viewedScore(sheet), terminal);
  }
  return gateExitCode(sheet.blues.map(({ gate }) => gate));
}
