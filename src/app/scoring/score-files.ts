import { basename, resolve } from 'node:path';
import { readCodeFolder } from '../../arena/read-code-folder.ts';
import type { Finding } from '../../match/claims/finding.ts';
import type { FindingsFormat, NotJudged } from '../../match/importers/findings-format.ts';
import { JudgeAgent } from '../../match/judge-agent.ts';
import { type JudgeAgentOptions, resolveJudgeOptions } from '../../match/judge-agent-options.ts';
import type { LlmOptions } from '../../match/llm/llm-options.ts';
import { readCleanResources } from '../../match/read-clean-resources.ts';
import { readReport } from '../../match/read-findings.ts';
import { readManifest } from '../../match/read-manifest.ts';
import { type GateOutcome, gateScore, type ScorePolicy } from '../../match/results/score-gate.ts';
import { locateFindings, locateVulnerabilities } from '../../match/source/locate-in-source.ts';
import type { Budget } from '../../models/budget/budget.ts';
import { createBudget } from '../../models/budget/limited-budget.ts';
import { withBudget } from '../../models/call/model-caller.ts';
import type { ScoredBlue, ScoreSheet } from '../../report/score/score-sheet.ts';
import { loadProject } from '../../scenario/load-project.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import type { Workplace } from '../project/open-project.ts';
import { openProjectModels } from '../project/project-models.ts';
import { readTextFile } from '../project/read-text-file.ts';
import { adapterFromFolder } from '../selection/candidates.ts';
import { type MatchModels, matchModels } from './match-judge.ts';

export interface ScoreFilesOptions extends Workplace, ScorePolicy, MatchModels, Omit<JudgeAgentOptions, 'llm'> {
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
  format?: FindingsFormat | undefined;
  judgeCache?: boolean | undefined;
  /** For the models; `budget_usd` of salvo.yaml if not given. */
  budgetUsd?: number | undefined;
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
  const source = options.source === undefined ? null : (await readCodeFolder(resolve(place.cwd, options.source))).files;
  const vulnerabilities = source ? await locateVulnerabilities(stated.vulnerabilities, source) : stated.vulnerabilities;
  const manifest = { ...stated, vulnerabilities };
  const readFile = async (file: string): Promise<FindingsFile> => {
    const text = await readTextFile(file, { ...place, usual: 'findings.json' });
    const { findings, notJudged } = readReport(text, { name: file, format: options.format });
    return { file, findings: source ? await locateFindings(findings, source) : findings, notJudged };
  };
  // One after the other, so that the first problem is the one that is reported.
  const files = await Array.fromAsync(options.blue, readFile);
  const twins = await Array.fromAsync(options.blueTwin ?? [], readFile);
  if (twins.length > 0 && twins.length !== files.length) throw unequalTwins(files.length, twins.length);
  const tools = await Array.fromAsync(options.tools ?? [], readFile);
  const clean =
    options.clean === undefined
      ? undefined
      : readCleanResources(await readTextFile(options.clean, place), { name: options.clean });
  onEvent({ type: 'files_read', vulnerabilities: vulnerabilities.length, blues: files.length });

  await using models = await openScoreModels(options);
  const judgeOptions = { ...options, matcher: options.matcher ?? 'evidence', llm: models?.llm };
  const judge = new JudgeAgent(judgeOptions);
  const blues: ScoredBlue[] = [];
  for (const [index, name] of blueNames(files).entries()) {
    const { file, findings, notJudged } = files[index] ?? { file: name, findings: [], notJudged: [] };
    const evidence = outsideEvidence(tools, clean, twins[index]);
    const results = await judge.scoreAsync(manifest, findings, evidence, { signal });
    const gate = withRefusal(gateScore(results, options), models?.budget.refusal ?? null);
    const blue = { name, file, findings, notJudged, results, gate };
    onEvent({ type: 'blue_scored', blue });
    blues.push(blue);
  }
  const { matcher, matchThreshold, exactThreshold } = resolveJudgeOptions(judgeOptions);
  return { red: { file: options.red, vulnerabilities }, blues, matcher, matchThreshold, exactThreshold, code: source };
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
) {
  if (tools.length === 0 && cleanResources === undefined && twin === undefined) return undefined;
  return {
    ...(twin === undefined ? {} : { twinFindings: twin.findings }),
    ...(tools.length === 0 ? {} : { toolFindings: tools.flatMap(({ findings }) => findings) }),
    ...(cleanResources === undefined ? {} : { cleanResources }),
  };
}

/** The models that decide unclear pairs, as the project configures their adapters; null when none is named. */
async function openScoreModels(
  options: ScoreFilesOptions,
): Promise<(AsyncDisposable & { llm: LlmOptions; budget: Budget }) | null> {
  const { k, judgeCache, cwd = process.cwd(), env = process.env } = options;
  if (!options.llm?.length) return null;
  const project = await loadProject(cwd);
  const judge = options.judge === undefined ? undefined : adapterFromFolder(options.judge, { project, cwd });
  const models = matchModels({ ...options, judge }, project.config);
  await using resources = openResources();
  const services = resources.use(await openProjectModels({ project, env, cache: judgeCache }));
  for (const { adapter } of models) services.checkReady(adapter);
  const called = models.map((model) => ({ ...model, file: '{option:llm}' }));
  const budget = createBudget(await services.budgetUsd(options.budgetUsd, called));
  const caller = withBudget(services.models, budget);
  const llm: LlmOptions = { models, caller, cache: services.voteCache, ...(k === undefined ? {} : { k }) };
  return resources.keepFor({ llm, budget });
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
