import { replayCommand } from '../../report/run/words/replay-command.ts';
import { scenarioHandles, scenarioTitles } from '../../report/run/words/scenario-handles.ts';
import { plannedCases } from '../../run/record/planned-cases.ts';
import type { RunRecord, StoredTrial, TrialHead } from '../../run/record/run-record.ts';
import type { RunListing, Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import type { NamedTrials } from './find-trials.ts';

/** One trial to look at. Its run is at hand for the names in it. */
export interface ChosenTrial {
  run: RunRecord;
  trial: StoredTrial;
  /** Why it is this trial, when that is not obvious. */
  note: string | null;
}

const MOST_LISTED = 10;

/** The trial of a given number, or the first that failed; if none did, the first that could not be scored or the first. */
export async function chooseTrial(store: Store, named: Exclude<NamedTrials, { kind: 'trace' }>): Promise<ChosenTrial> {
  const run = await store.getRun(named.runId);
  if (!run) throw new SalvoError('RUN_UNKNOWN', `There is no run ${named.runId}.`);
  if (named.kind === 'trial') return await trialOfNumber(store, run, named);
  const found = await firstFailure(store, run, {
    scenarioIndex: named.kind === 'run' ? null : named.scenarioIndex,
    caseName: named.kind === 'case' ? named.caseName : null,
  });
  const notes = [named.kind === 'case' ? named.note : null, found.note].filter((note) => note);
  return { ...found, note: notes.join('\n') || null };
}

/** Where to look: null for everywhere. */
interface Place {
  scenarioIndex: number | null;
  caseName: string | null;
}

async function* trialsAt(store: Store, run: RunRecord, { scenarioIndex, caseName }: Place): AsyncGenerator<TrialHead> {
  for await (const head of store.trialHeads(run.run_id)) {
    if (scenarioIndex !== null && head.scenario_index !== scenarioIndex) continue;
    if (caseName === null || head.case === caseName) yield head;
  }
}

async function wholeTrial(store: Store, run: RunRecord, head: TrialHead): Promise<StoredTrial> {
  const { scenario_index: scenario, case_index, trial_number: trial } = head;
  const whole = await store.getTrial(run.run_id, { scenario, case: case_index, trial });
  if (!whole) throw new SalvoError('TRIAL_UNKNOWN', `Trial ${trial} of run ${run.run_id} was removed meanwhile.`);
  return whole;
}

/** A place in words. */
function placeName(run: RunRecord, { scenarioIndex, caseName }: Place): string {
  if (scenarioIndex === null) return `run ${run.run_id}`;
  return `${trialName(run, { scenario_index: scenarioIndex, case: caseName })} in run ${run.run_id}`;
}

async function firstFailure(store: Store, run: RunRecord, place: Place): Promise<ChosenTrial> {
  let unscored: TrialHead | null = null;
  let first: TrialHead | null = null;
  for await (const head of trialsAt(store, run, place)) {
    if (head.trace_id === null) continue;
    if (isFailure(head)) return { run, trial: await wholeTrial(store, run, head), note: null };
    if (head.status === 'unscored') unscored ??= head;
    first ??= head;
  }
  const head = unscored ?? first;
  const of = placeName(run, place);
  if (!head) {
    throw new SalvoError('TRACES_MISSING', `No conversation of ${of} is stored.${await howToComplete(store, run)}`);
  }
  const trial = await wholeTrial(store, run, head);
  const which = `trial ${trial.trial_number} of ${trialName(run, trial)}`;
  const result = resultOf(run, trial);
  const outcome = result?.status === 'unscored' ? 'could not be scored' : 'passed';
  const what = result === null ? 'has not been judged' : outcome;
  return { run, trial, note: `No trial of ${of} failed. This is ${which}, which ${what}.` };
}

async function trialOfNumber(
  store: Store,
  run: RunRecord,
  { trialNumber, ...place }: Place & { trialNumber: number },
): Promise<ChosenTrial> {
  const found: TrialHead[] = [];
  for await (const head of trialsAt(store, run, place)) {
    if (head.trial_number === trialNumber) found.push(head);
  }
  const [only] = found;
  if (!only) throw await noSuchTrial(store, run, { ...place, trialNumber });
  if (found.length === 1) return { run, trial: withTrace(run, await wholeTrial(store, run, only)), note: null };
  const [failed, ...others] = found.filter(isFailure);
  if (!failed || others.length > 0) throw severalTrials(run, found, trialNumber);
  const note = `${whatHasTrials(found)} of run ${run.run_id} have a trial ${trialNumber}. This is the one that failed.`;
  return { run, trial: withTrace(run, await wholeTrial(store, run, failed)), note };
}

/** The result of a trial; null when it was not judged yet, or only recorded. */
export function resultOf({ options }: RunRecord, { result }: StoredTrial): TrialResult | null {
  const isOnlyRecorded =
    (options.record_only || options.look) && result?.status === 'unscored' && result.error_message === null;
  return isOnlyRecorded ? null : result;
}

function isFailure({ status }: TrialHead): boolean {
  return status !== null && status !== 'passed' && status !== 'unscored';
}

function withTrace(run: RunRecord, trial: StoredTrial): StoredTrial {
  if (trial.trace_id !== null) return trial;
  const why = trial.result?.error_message;
  throw new SalvoError(
    'TRACES_MISSING',
    `Trial ${trial.trial_number} of ${trialName(run, trial)} in run ${run.run_id} has no stored conversation${why ? `: ${safeLine(why)}` : '.'}`,
  );
}

async function noSuchTrial(
  store: Store,
  run: RunRecord,
  { trialNumber, ...place }: Place & { trialNumber: number },
): Promise<SalvoError> {
  const trials = mostTrials(run, place);
  const of = placeName(run, place);
  // A trial that was judged again alone keeps its number.
  if (run.reeval_of !== null) {
    return new SalvoError(
      'TRIAL_UNKNOWN',
      `There is no trial ${trialNumber} of ${of}, which judged trials of run ${run.reeval_of} again. \`${salvoCommand()} replay ${run.reeval_of}/${trialNumber}\` looks there.`,
    );
  }
  if (trialNumber < 1 || trialNumber > trials) {
    return new SalvoError(
      'TRIAL_UNKNOWN',
      `There is no trial ${trialNumber} of ${of}: its trials have the numbers 1 to ${trials}.`,
    );
  }
  return new SalvoError(
    'TRIAL_NOT_RUN',
    `Trial ${trialNumber} of ${of} was not run.${await howToComplete(store, run)}`,
  );
}

/** Why trials of a run are missing and how to get them: a sentence to follow another. */
export async function howToComplete(store: Pick<Store, 'holderOf'>, run: RunListing | RunRecord): Promise<string> {
  const { run_id, reeval_of, scenarios } = run;
  const worker = await store.holderOf({ kind: 'run', id: run_id });
  if (worker) return ` It is still at work, in process ${worker.pid}.`;
  if (reeval_of !== null)
    return ` It was interrupted. \`${salvoCommand()} reeval ${reeval_of}\` judges the stored traces again.`;
  const isEarlyStop = scenarios.some(
    ({ summary }) => summary?.stopped === 'early_stop' || summary?.stopped === 'decided',
  );
  return isEarlyStop
    ? ' The run was stopped early, because its verdict was certain or its comparison decided.'
    : ` \`${salvoCommand()} run --resume ${run_id}\` runs what is missing.`;
}

function severalTrials(run: RunRecord, found: readonly TrialHead[], trialNumber: number): SalvoError {
  const handles = scenarioHandles(run.scenarios);
  const failed = found.filter(isFailure);
  const listed = (failed.length > 0 ? failed : found).map(
    ({ scenario_index, case: caseName }) =>
      `\n  ${replayCommand({ runId: run.run_id, scenario: handles[scenario_index] ?? '', caseName, trialNumber })}`,
  );
  const more = listed.length > MOST_LISTED ? `\n  ... and ${listed.length - MOST_LISTED} more` : '';
  const how = failed.length > 0 ? `${failed.length} of them failed` : 'none of them failed';
  return new SalvoError(
    'TRIAL_AMBIGUOUS',
    `${whatHasTrials(found)} of run ${run.run_id} have a trial ${trialNumber}, and ${how}. Choose one:${listed.slice(0, MOST_LISTED).join('')}${more}`,
  );
}

/** The largest number that a trial there can have. */
function mostTrials(run: RunRecord, { scenarioIndex, caseName }: Place): number {
  const scenarios = scenarioIndex === null ? run.scenarios : run.scenarios.slice(scenarioIndex, scenarioIndex + 1);
  const cases = scenarios.flatMap(({ scenario }) => plannedCases(scenario, { options: run.options, chosen: null }));
  const there = caseName === null ? cases : cases.filter(({ name }) => name === caseName);
  return there.reduce((most, { trials }) => Math.max(most, trials), 0);
}

function whatHasTrials(found: readonly TrialHead[]): string {
  return `${found.length} ${found.some((trial) => trial.case !== null) ? 'cases' : 'scenarios'}`;
}

/** The scenario of a trial, with its case if it has data. */
function trialName(run: RunRecord, at: Pick<StoredTrial, 'scenario_index' | 'case'>): string {
  const name = scenarioTitles(run.scenarios)[at.scenario_index] ?? `scenario ${at.scenario_index + 1}`;
  return safeLine(at.case === null ? name : `${name}/${at.case}`);
}
