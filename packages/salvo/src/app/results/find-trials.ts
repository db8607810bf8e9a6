import { basename, resolve } from 'node:path';
import { scenarioHandles } from '../../report/run/words/scenario-handles.ts';
import type { RunRecord, StoredTrial } from '../../run/record/run-record.ts';
import { latestRunId, nothingStored } from '../../store/resolve-id.ts';
import type { RunListing, Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { shellQuote } from '../../text/output/quote-output.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { suggestionSentence } from '../../text/words/did-you-mean.ts';

/** Trials that a user named: a run, a scenario of it, a case of that, one trial, or the trace of one. */
export type NamedTrials =
  | { kind: 'run'; runId: string }
  | { kind: 'scenario'; runId: string; scenarioIndex: number }
  /** `note` says what else could have been meant. */
  | { kind: 'case'; runId: string; scenarioIndex: number; caseName: string; note?: string | undefined }
  /** `scenarioIndex` is null when only the number was given, and `caseName` when no case was named. */
  | { kind: 'trial'; runId: string; scenarioIndex: number | null; caseName: string | null; trialNumber: number }
  /** `trial` is null when the process ended between storing the trace and storing the trial. */
  | { kind: 'trace'; traceId: string; trial: StoredTrial | null };

export interface TrialSearch {
  store: Store;
  /** File names are relative to this folder, or to the root of the project. */
  cwd: string;
  root: string;
  /**
   * `RUN/SCENARIO/CASE/13`, `RUN/SCENARIO/13`, `RUN/SCENARIO`, `SCENARIO/13`, `RUN/13`, `RUN`, `SCENARIO`, `13` or the id
   * of a trace. A case can follow every scenario, and a scenario can be `SCENARIO@MODEL`.
   */
  target: string;
  /** The trial's number, when it was given apart from the target. */
  trial?: number | undefined;
}

type ListedScenario = RunListing['scenarios'][number];

const NEWEST_RUNS = 100;
const MOST_SHOWN = 5;
/** As many digits as the largest number of trials has. A longer number is the beginning of an id. */
const TRIAL_NUMBER = /^(?:(.*)\/)?(0|[1-9]\d{0,6})$/s;

/**
 * The trials that a target names. A number at its end is a trial, unless a case has that name. What comes before it is,
 * in this order: a case of a scenario, the whole id of a run, the name or file of a scenario, the whole id of a trace, or
 * the beginning of just one of them.
 */
export async function findTrials(search: TrialSearch): Promise<NamedTrials> {
  const number = search.trial === undefined ? TRIAL_NUMBER.exec(search.target) : null;
  const ofCase = await findCase(search);
  const before = number?.[1] === undefined ? null : await findCase({ ...search, target: number[1] });
  if (ofCase && before) return { ...ofCase, note: otherMeaning(ofCase.caseName, before.caseName, number) };
  if (ofCase) return withTrial(ofCase, search.trial);
  if (before) return withTrial(before, Number(number?.[2]));
  if (!number) return withTrial(await findGroup(search, search.target), search.trial);
  return withTrial(await findGroup(search, number[1] ?? 'latest'), Number(number[2]));
}

/** A case named `a/2` and trial 2 of the case `a` look the same. The case is meant, and the other is said apart. */
function otherMeaning(caseName: string, other: string, number: RegExpExecArray | null): string {
  const [, target = '', trial = ''] = number ?? [];
  return `This is the case ${JSON.stringify(safeLine(caseName))}. Trial ${trial} of the case ${JSON.stringify(safeLine(other))} is \`${salvoCommand()} replay ${shellQuote(safeLine(target))} ${trial}\`.`;
}

function withTrial(named: NamedTrials, trialNumber: number | undefined): NamedTrials {
  if (trialNumber === undefined) return named;
  if (named.kind === 'trace' || named.kind === 'trial') {
    throw new SalvoError('OPTIONS_INVALID', 'A trace is one trial already: leave out the number of the trial.');
  }
  const scenarioIndex = named.kind === 'run' ? null : named.scenarioIndex;
  const caseName = named.kind === 'case' ? named.caseName : null;
  return { kind: 'trial', runId: named.runId, scenarioIndex, caseName, trialNumber };
}

/** The case that a target ends with: what is before one of its slashes names a scenario, and what follows is a case of it. */
async function findCase(search: TrialSearch): Promise<Extract<NamedTrials, { kind: 'case' }> | null> {
  const { store, target } = search;
  for (let slash = target.indexOf('/'); slash !== -1; slash = target.indexOf('/', slash + 1)) {
    const caseName = target.slice(slash + 1);
    const scenario = caseName === '' ? null : await findGroup(search, target.slice(0, slash)).catch(() => null);
    if (scenario?.kind !== 'scenario') continue;
    const { runId, scenarioIndex } = scenario;
    for await (const _ of store.trials(runId, { scenarioIndex, caseName })) {
      return { kind: 'case', runId, scenarioIndex, caseName };
    }
  }
  return null;
}

async function findGroup(search: TrialSearch, text: string): Promise<NamedTrials> {
  const { store } = search;
  const latest = await latestRunId(store);
  const wholeTrace = await findTrace(store, text.toLowerCase());
  if (latest === null) {
    if (wholeTrace) return wholeTrace;
    throw nothingStored();
  }
  const slash = text.indexOf('/');
  const runPart = slash === -1 ? text : text.slice(0, slash);
  const scenarioPart = slash === -1 ? null : text.slice(slash + 1);
  const inRun = (run: RunListing | RunRecord): NamedTrials => {
    if (scenarioPart === null) return { kind: 'run', runId: run.run_id };
    return { kind: 'scenario', runId: run.run_id, scenarioIndex: scenarioInRun(search, run, scenarioPart) };
  };
  const wholeRun = runPart === '' ? null : await store.getRun(runPart === 'latest' ? latest : runPart);
  if (wholeRun) return inRun(wholeRun);

  const newest = await store.listRuns({ limit: NEWEST_RUNS });
  // A run that was killed, or is still at work, has only some of its trials.
  const [complete, others] = [newest.filter(isFinished), newest.filter((run) => !isFinished(run))];
  const runs = [...complete, ...others];
  for (const run of runs) {
    const [index, ...others] = exactMatches(search, run.scenarios, text);
    if (index === undefined) continue;
    if (others.length > 0) throw sameName(run, text, [index, ...others]);
    return { kind: 'scenario', runId: run.run_id, scenarioIndex: index };
  }
  return wholeTrace ?? (await onlyBeginning(search, { text, runPart, runs, inRun }));
}

/** What has just one beginning like this: a run, a trace, or a scenario of the newest run that has such a one. */
async function onlyBeginning(
  search: TrialSearch,
  options: { text: string; runPart: string; runs: readonly RunListing[]; inRun: (run: RunRecord) => NamedTrials },
): Promise<NamedTrials> {
  const { store } = search;
  const { text, runPart, runs, inRun } = options;
  const runIds = runPart === '' ? [] : await store.findRunIds(runPart, MOST_SHOWN + 1);
  const traceIds = text === '' ? [] : await store.findTraceIds(text.toLowerCase(), MOST_SHOWN + 1);
  const newest = runs.find((run) => beginnings(run.scenarios, text).length > 0);
  const scenarios = newest ? beginnings(newest.scenarios, text) : [];
  const handles = scenarioHandles(newest?.scenarios ?? []);
  const [runId, traceId, scenarioIndex] = [runIds[0], traceIds[0], scenarios[0]];
  if (runIds.length + traceIds.length + scenarios.length > 1) {
    throw ambiguous(text, [
      ...runIds.map((id) => `run ${id}`),
      ...traceIds.map((id) => `trace ${id}`),
      ...scenarios.map((index) => `scenario ${safeLine(handles[index] ?? '')}`),
    ]);
  }
  if (newest && scenarioIndex !== undefined) return { kind: 'scenario', runId: newest.run_id, scenarioIndex };
  const trace = traceId === undefined ? null : await findTrace(store, traceId);
  if (trace) return trace;
  const run = runId === undefined ? null : await store.getRun(runId);
  if (run) return inRun(run);
  throw unknownTarget(text, runs);
}

async function findTrace(store: Store, traceId: string): Promise<NamedTrials | null> {
  if ((await store.getTrace(traceId)) === null) return null;
  return { kind: 'trace', traceId, trial: await store.findTrialOfTrace(traceId) };
}

const isFinished = ({ status }: RunListing): boolean => status === 'finished';

function scenarioInRun(search: TrialSearch, run: RunListing | RunRecord, text: string): number {
  const exact = exactMatches(search, run.scenarios, text);
  const found = exact.length > 0 ? exact : beginnings(run.scenarios, text);
  const [index, ...others] = found;
  if (index !== undefined && others.length === 0) return index;
  if (exact.length > 0) throw sameName(run, text, exact);
  if (index !== undefined) {
    const handles = scenarioHandles(run.scenarios);
    throw ambiguous(
      text,
      found.map((each) => `scenario ${safeLine(handles[each] ?? '')}`),
    );
  }
  throw new SalvoError(
    'SCENARIO_UNKNOWN',
    `Run ${run.run_id} has no scenario ${JSON.stringify(text)}.${scenarioHint(run.scenarios, text)}`,
  );
}

/** Positions of the scenarios with this name or file, or with such a name, `@`, and their model or adapter. */
function exactMatches(search: TrialSearch, scenarios: readonly ListedScenario[], text: string): number[] {
  const named = namedScenarios(search, scenarios, text);
  if (named.length > 0) return named;
  return scenarios.flatMap(({ adapter, model }, index) => {
    const label = [model, adapter, `${adapter}=${model}`].find((each) => text.endsWith(`@${each}`));
    const scenario = label === undefined ? '' : text.slice(0, -label.length - 1);
    return namedScenarios(search, scenarios, scenario).includes(index) ? [index] : [];
  });
}

/** Positions of the scenarios with this name; if there is none, of those in this file. */
function namedScenarios({ cwd, root }: TrialSearch, scenarios: readonly ListedScenario[], text: string): number[] {
  if (text === '') return [];
  const named = positions(scenarios, ({ name }) => name === text);
  if (named.length > 0) return named;
  const paths = [resolve(cwd, text), resolve(root, text)];
  return positions(scenarios, ({ file }) => file !== '' && (file === text || paths.includes(resolve(root, file))));
}

function beginnings(scenarios: readonly ListedScenario[], text: string): number[] {
  if (text === '') return [];
  return positions(
    scenarios,
    ({ name, file }) => name.startsWith(text) || file.startsWith(text) || basename(file).startsWith(text),
  );
}

function positions(scenarios: readonly ListedScenario[], fits: (scenario: ListedScenario) => boolean): number[] {
  return scenarios.flatMap((scenario, index) => (fits(scenario) ? [index] : []));
}

function sameName(run: RunListing | RunRecord, name: string, indices: readonly number[]): SalvoError {
  const handles = scenarioHandles(run.scenarios);
  const listed = indices.map((index) => `\n  ${run.run_id}/${safeLine(handles[index] ?? '')}`);
  const isOneFile = new Set(indices.map((index) => run.scenarios[index]?.file)).size === 1;
  const what = isOneFile
    ? `ran ${JSON.stringify(name)} with several models. Name the model`
    : `has several scenarios named ${JSON.stringify(name)}. Name the file`;
  return new SalvoError('SCENARIO_AMBIGUOUS', `Run ${run.run_id} ${what}:${listed.join('')}`);
}

function ambiguous(text: string, candidates: readonly string[]): SalvoError {
  const list = candidates.slice(0, MOST_SHOWN).map((candidate) => `\n  ${candidate}`);
  const more = candidates.length > MOST_SHOWN ? '\n  ...' : '';
  return new SalvoError(
    'TARGET_AMBIGUOUS',
    `${JSON.stringify(text)} is the beginning of more than one thing. Give more of it:${list.join('')}${more}`,
  );
}

function unknownTarget(text: string, runs: readonly RunListing[]): SalvoError {
  const hint = scenarioHint(
    runs.flatMap(({ scenarios }) => scenarios),
    text,
  );
  return new SalvoError(
    'TARGET_UNKNOWN',
    `There is no run, scenario or trace ${JSON.stringify(text)}.${hint} \`salvo report --history\` lists the runs.`,
  );
}

function scenarioHint(scenarios: readonly ListedScenario[], text: string): string {
  const names = [...new Set(scenarios.map(({ name }) => name))];
  const guess = suggestionSentence(text, [...names, ...new Set(scenarios.map(({ file }) => file))]);
  if (guess !== '') return guess;
  const listed = names.slice(0, MOST_SHOWN).map((name) => JSON.stringify(name));
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '';
  return ` The scenarios: ${listed.join(', ')}${more}.`;
}
