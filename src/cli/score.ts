import { basename } from 'node:path';
import { readTextFile } from '../app/read-text-file.ts';
import { readCodeFolder } from '../arena/read-code-folder.ts';
import type { Finding } from '../match/claims/finding.ts';
import { JudgeAgent } from '../match/judge-agent.ts';
import { locateFindings } from '../match/locate-in-source.ts';
import { readCleanResources } from '../match/read-clean-resources.ts';
import { readFindings } from '../match/read-findings.ts';
import { readManifest } from '../match/read-manifest.ts';
import { gateScore } from '../match/results/score-gate.ts';
import { renderScoreMarkdown } from '../report/score/score-markdown.ts';
import { renderScores } from '../report/score/score-report.ts';
import { scoreSarif } from '../report/score/score-sarif.ts';
import { type ScoredBlue, type ScoreSheet, scoreDocument } from '../report/score/score-sheet.ts';
import { harmlessJson } from '../text/harmless-json.ts';
import type { ScoreCommandOptions } from './program/commands.ts';
import { openScoreModels } from './score-models.ts';
import type { Terminal } from './terminal/terminal.ts';
import { checkWritable, writeWholeFile } from './terminal/write-file.ts';

/** `salvo score` */
export async function scoreCommand(options: ScoreCommandOptions, terminal: Terminal): Promise<number> {
  const { out, markdown, sarif } = options;
  for (const file of [out, markdown, sarif]) if (file !== undefined) await checkWritable(file, terminal);
  const manifest = readManifest(await readTextFile(options.red, terminal), { name: options.red });
  const source = options.source === undefined ? null : (await readCodeFolder(options.source)).files;
  const findingsOf = async (file: string): Promise<Finding[]> => {
    const findings = readFindings(await readTextFile(file, terminal), { name: file, format: options.format });
    return source ? locateFindings(findings, source) : findings;
  };
  const files = await inOrder(options.blue, async (file) => ({ file, findings: await findingsOf(file) }));
  const anchors = await readAnchors(options, findingsOf, terminal);

  await using models = await openScoreModels(options, terminal);
  const judge = new JudgeAgent({ ...options, llm: models?.llm });
  const names = blueNames(files);
  let blues: ScoredBlue[];
  try {
    blues = await inOrder(files, async ({ file, findings }, index) => {
      const results = await judge.scoreAsync(manifest, findings, anchors, { signal: terminal.stop });
      return { name: names[index] ?? file, file, findings, results, gate: gateScore(results, options) };
    });
  } catch (error) {
    if (!terminal.stop.aborted) throw error;
    terminal.stderr.write('\nThe scoring was stopped, and nothing was written.\n');
    return 3;
  }
  const { matcher, matchThreshold } = options;
  const exactThreshold = Math.max(options.exactThreshold, matchThreshold);
  const red = { file: options.red, vulnerabilities: manifest.vulnerabilities };
  await print({ red, blues, matcher, matchThreshold, exactThreshold }, options, terminal);
  return exitCode(blues);
}

async function print(sheet: ScoreSheet, options: ScoreCommandOptions, terminal: Terminal): Promise<void> {
  const { out, markdown, sarif } = options;
  const { stdout, env } = terminal;
  const json = (value: unknown): string => `${harmlessJson(value, 2)}\n`;
  const write = (file: string, text: string) => writeWholeFile(file, terminal, (to) => to(text));
  if (out !== undefined) await write(out, json(scoreDocument(sheet)));
  if (markdown !== undefined) await write(markdown, renderScoreMarkdown(sheet));
  if (sarif !== undefined) await write(sarif, json(scoreSarif(sheet)));
  stdout.write(
    options.json
      ? json(scoreDocument(sheet))
      : renderScores(sheet, { width: stdout.columns, color: stdout.color, ascii: env.TERM === 'dumb' }),
  );
}

/** What could not be scored outweighs what failed: nobody knows how much of it would have passed. */
function exitCode(blues: readonly ScoredBlue[]): number {
  if (blues.some(({ gate }) => gate.status === 'unscored')) return 3;
  return blues.some(({ gate }) => gate.status === 'failed') ? 1 : 0;
}

async function readAnchors(
  { tools, clean }: ScoreCommandOptions,
  findingsOf: (file: string) => Promise<Finding[]>,
  terminal: Terminal,
) {
  if (tools.length === 0 && clean === undefined) return undefined;
  return {
    ...(tools.length === 0 ? {} : { toolFindings: (await inOrder(tools, findingsOf)).flat() }),
    ...(clean === undefined
      ? {}
      : { cleanResources: readCleanResources(await readTextFile(clean, terminal), { name: clean }) }),
  };
}

/** A scanner's own name where all findings agree on it and no other file has it; the file's name otherwise. */
function blueNames(files: readonly { file: string; findings: readonly Finding[] }[]): string[] {
  const sources = files.map(({ findings }) => {
    const named = new Set(findings.map(({ source }) => source ?? ''));
    const [only = ''] = named;
    return named.size === 1 ? only : '';
  });
  return files.map(({ file }, index) => {
    const source = sources[index] ?? '';
    const unique = source !== '' && sources.filter((other) => other === source).length === 1;
    if (unique) return source;
    const base = basename(file);
    return files.filter((other) => basename(other.file) === base).length === 1 ? base : file;
  });
}

/** One after the other, so that the first problem is the one that is reported. */
async function inOrder<T, R>(items: readonly T[], handle: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const [index, item] of items.entries()) results.push(await handle(item, index));
  return results;
}
