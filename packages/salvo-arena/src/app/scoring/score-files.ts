import { basename, resolve } from 'node:path';
import { readTextFile } from 'salvo/kit/cli';
import { SalvoError } from 'salvo/kit/text';
import type { Finding } from '../../match/claims/finding.ts';
import type { FindingsFormat, NotJudged } from '../../match/importers/findings-format.ts';
import { JudgeAgent } from '../../match/judge-agent.ts';
import { type JudgeAgentOptions, resolveJudgeOptions } from '../../match/judge-agent-options.ts';
import { readCleanResources } from '../../match/read-clean-resources.ts';
import { readReport } from '../../match/read-findings.ts';
import { readManifest } from '../../match/read-manifest.ts';
import { type GateOutcome, gateScore, type ScorePolicy } from '../../match/results/score-gate.ts';
import type { UnresolvedValue } from '../../match/results/unresolved.ts';
import type { ScoredBlue, ScoreSheet } from '../../report/score/score-sheet.ts';
import type { ScoreModelOptions } from './score-models.ts';

export interface ScoreFilesOptions extends ScoreModelOptions, ScorePolicy, Omit<JudgeAgentOptions, 'llm'> {
  /** The file of the Red Team's manifest. */
  red: string;
  /** Files of findings: JSON, SARIF, or a scanner's report. */
  blue: readonly string[];
  /** For each of these, in the same order, the same Blue's findings on the same code without the flaws. */
  blueTwin?: readonly string[] | undefined;
  /** Reports of tools that support matches and false alarms. */
  tools?: readonly string[] | undefined;
  /** A file of resources that are known to be clean. */
  clean?: string | undefined;
  /** The folder of the code: a finding with only a line is placed in the block that it is in. */
  source?: string | undefined;
  /** The folder of the code without the flaws, which says which alarms on it are unresolved. Needs `blueTwin`. */
  twinSource?: string | undefined;
  /** How much more recall counts than precision in F-beta (default: 1). */
  beta?: number | undefined;
  format?: FindingsFormat | undefined;
  signal?: AbortSignal | undefined;
  onEvent?: ((event: ScoreEvent) => void) | undefined;
}

export type ScoreEvent =
  | { type: 'files_read'; vulnerabilities: number; blues: number }
  | { type: 'blue_scored'; blue: ScoredBlue };

interface FindingsFile {
  file: string;
  findings: Finding[];
  notJudged: readonly NotJudged[];
}

/** Scores files of findings against a manifest. Rejects when `signal` is aborted. */
export async function scoreFiles(options: ScoreFilesOptions): Promise<ScoreSheet> {
  const { onEvent = () => {}, signal } = options;
  const place = { cwd: options.cwd ?? process.cwd(), signal };
  const red = await readTextFile(options.red, { ...place, usual: 'scored_manifest.json' });
  const stated = readManifest(red, { name: options.red });
  const source = options.source === undefined ? null : await openSource(resolve(place.cwd, options.source));
  const vulnerabilities = source
    ? await source.locateVulnerabilities(stated.vulnerabilities, source.files)
    : stated.vulnerabilities;
  const manifest = { ...stated, vulnerabilities };
  const readFile = async (file: string): Promise<FindingsFile> => {
    const text = await readTextFile(file, { ...place, usual: 'findings.json' });
    const { findings, notJudged } = readReport(text, { name: file, format: options.format });
    return { file, findings: source ? await source.locateFindings(findings, source.files) : findings, notJudged };
  };
  // One after the other, so that the first problem is the one that is reported.
  const files = await Array.fromAsync(options.blue, readFile);
  const twins = await Array.fromAsync(options.blueTwin ?? [], readFile);
  if (twins.length > 0 && twins.length !== files.length) throw unequalTwins(files.length, twins.length);
  const tools = await Array.fromAsync(options.tools ?? [], readFile);
  const twinCode = options.twinSource === undefined ? null : await openTwin(resolve(place.cwd, options.twinSource));
  if (twinCode && twins.length === 0) throw twinMissing();
  const clean =
    options.clean === undefined
      ? undefined
      : readCleanResources(await readTextFile(options.clean, place), { name: options.clean });
  onEvent({ type: 'files_read', vulnerabilities: vulnerabilities.length, blues: files.length });

  // Most scores ask no model, and load nothing for it.
  await using models = options.llm?.length ? await (await import('./score-models.ts')).openScoreModels(options) : null;
  const judgeOptions = { ...options, matcher: options.matcher ?? 'evidence', llm: models?.llm };
  const judge = new JudgeAgent(judgeOptions);
  const blues: ScoredBlue[] = [];
  for (const [index, name] of blueNames(files).entries()) {
    const { file, findings, notJudged } = files[index] ?? { file: name, findings: [], notJudged: [] };
    const twin = twins[index];
    const unresolved = twin && twinCode ? await twinCode.unresolvedValues(twinCode.files, twin.findings) : undefined;
    const evidence = outsideEvidence(tools, clean, twin, unresolved);
    const results = await judge.scoreAsync(manifest, findings, evidence, { signal });
    const gate = withRefusal(gateScore(results, options), models?.budget.refusal ?? null);
    const blue = { name, file, findings, notJudged, results, gate };
    onEvent({ type: 'blue_scored', blue });
    blues.push(blue);
  }
  const { matcher, matchThreshold, exactThreshold, keys } = resolveJudgeOptions(judgeOptions);
  return {
    red: { file: options.red, vulnerabilities },
    blues,
    matcher,
    matchThreshold,
    exactThreshold,
    keys,
    beta: options.beta ?? 1,
    code: source?.files ?? null,
  };
}

/** The code, and what reads it. */
async function openSource(folder: string) {
  const { readCodeFolder } = await import('../../code/read-code-folder.ts');
  const { locateFindings, locateVulnerabilities } = await import('../../match/source/locate-in-source.ts');
  return { files: (await readCodeFolder(folder)).files, locateFindings, locateVulnerabilities };
}

async function openTwin(folder: string) {
  const { readCodeFolder } = await import('../../code/read-code-folder.ts');
  const { unresolvedValues } = await import('../../game/unresolved-values.ts');
  return { files: (await readCodeFolder(folder)).files, unresolvedValues };
}

function twinMissing(): SalvoError {
  return new SalvoError(
    'OPTIONS_INVALID',
    '{option:twinSource} says which findings on the clean twin are unresolved: give these findings with {option:blueTwin}.',
  );
}

/** Pairs are left undecided when the budget allows no further call. */
function withRefusal(gate: GateOutcome, refusal: string | null): GateOutcome {
  if (gate.status !== 'unscored' || refusal === null) return gate;
  return { ...gate, messages: [...gate.messages, `stopped: ${refusal}`] };
}

function unequalTwins(blues: number, twins: number): SalvoError {
  return new SalvoError(
    'OPTIONS_INVALID',
    `{option:blue} has ${formatFiles(blues)} and {option:blueTwin} ${formatFiles(twins)}. Give a report on the clean twin for each of them, in the same order.`,
  );
}

function formatFiles(count: number): string {
  return count === 1 ? 'one file' : `${count} files`;
}

function outsideEvidence(
  tools: readonly FindingsFile[],
  cleanResources: string[] | undefined,
  twin: FindingsFile | undefined,
  unresolved: (UnresolvedValue | null)[] | undefined,
) {
  if (tools.length === 0 && cleanResources === undefined && twin === undefined) return undefined;
  return {
    ...(twin === undefined ? {} : { twinFindings: twin.findings, unresolved }),
    ...(tools.length === 0 ? {} : { toolFindings: tools.flatMap(({ findings }) => findings) }),
    ...(cleanResources === undefined ? {} : { cleanResources }),
  };
}

/**
 * A scanner's own name where all findings of a file agree on it and no other file has it; otherwise the file's name.
 */
function blueNames(files: readonly FindingsFile[]): string[] {
  const sources = files.map(({ findings }) => {
    const [only = '', ...others] = new Set(findings.map(({ source }) => source ?? ''));
    return others.length === 0 ? only : '';
  });
  return files.map(({ file }, index) => {
    const source = sources[index] ?? '';
    const isUnique = source !== '' && sources.filter((other) => other === source).length === 1;
    if (isUnique) return source;
    const base = basename(file);
    return files.filter((other) => basename(other.file) === base).length === 1 ? base : file;
  });
}
