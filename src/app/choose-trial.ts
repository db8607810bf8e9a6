import { replayCommand } from '../report/run/replay-command.ts';
import { scenarioHandles } from '../report/run/scenario-handles.ts';
import type { RunRecord, StoredTrial } from '../run/run-record.ts';
import type { RunListing, Store } from '../store/store.ts';
import { safeLine } from '../text/safe-text.ts';
import { SalvoError } from '../text/salvo-error.ts';
import type { TrialResult } from '../trial/trial-result.ts';
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
  if (!run) throw new SalvoError('UNKNOWN_RUN', `There is no run ${named.runId}.`);
  if (named.kind === 'trial') return await trialOfNumber(store, run, named);
  return await firstFailure(store, run, named.kind === 'scenario' ? named.scenarioIndex : null);
}

async function firstFailure(store: Store, run: RunRecord, scenarioIndex: number | null): Promise<ChosenTrial> {
  let unscored: StoredTrial | null = null;
  let first: StoredTrial | null = null;
  for await (const trial of store.trials(run.run_id, scenarioIndex === null ? {} : { scenarioIndex })) {
    if (trial.trace_id === null) continue;
    if (isFailure(trial)) return { run, trial, note: null };
    if (trial.result?.status === 'unscored') unscored ??= trial;
    first ??= trial;
  }
  const trial = unscored ?? first;
  const of = scenarioIndex === null ? `run ${run.run_id}` : `${nameOf(run, scenarioIndex)} in run ${run.run_id}`;
  if (!trial) {
    throw new SalvoError('NO_TRACES', `No conversation of ${of} is stored.${await howToComplete(store, run)}`);
  }
  const which = `trial ${trial.trial_number} of ${nameOf(run, trial.scenario_index)}`;
  const result = resultOf(run, trial);
  const outcome = result?.status === 'unscored' ? 'could not be scored' : 'passed';
  const what = result === null ? 'has not been judged' : outcome;
  return { run, trial, note: `No trial of ${of} failed. This is ${which}, which ${what}.` };
}

async function trialOfNumber(
  store: Store,
  run: RunRecord,
  { scenarioIndex, trialNumber }: { scenarioIndex: number | null; trialNumber: number },
): Promise<ChosenTrial> {
  const found: StoredTrial[] = [];
  for await (const trial of store.trials(run.run_id, scenarioIndex === null ? {} : { scenarioIndex })) {
    if (trial.trial_number === trialNumber) found.push(trial);
  }
  const [trial] = found;
  if (!trial) throw await noSuchTrial(store, run, { scenarioIndex, trialNumber });
  if (found.length === 1) return { run, trial: withTrace(run, trial), note: null };
  const [failed, ...others] = found.filter(isFailure);
  if (!failed || others.length > 0) throw severalTrials(run, found, trialNumber);
  const note = `${found.length} scenarios of run ${run.run_id} have a trial ${trialNumber}. This is the one that failed.`;
  return { run, trial: withTrace(run, failed), note };
}

/** The result of a trial; null when it was not judged yet, or only recorded. */
export function resultOf({ options }: RunRecord, { result }: StoredTrial): TrialResult | null {
  const isOnlyRecorded = options.record_only && result?.status === 'unscored' && result.error_message === null;
  return isOnlyRecorded ? null : result;
}

function isFailure({ result }: StoredTrial): boolean {
  return result !== null && result.status !== 'passed' && result.status !== 'unscored';
}

function withTrace(run: RunRecord, trial: StoredTrial): StoredTrial {
  if (trial.trace_id !== null) return trial;
  const why = trial.result?.error_message;
  throw new SalvoError(
    'NO_TRACES',
    `Trial ${trial.trial_number} of ${nameOf(run, trial.scenario_index)} in run ${run.run_id} has no stored conversation${why ? `: ${safeLine(why)}` : '.'}`,
  );
}

async function noSuchTrial(
  store: Store,
  run: RunRecord,
  { scenarioIndex, trialNumber }: { scenarioIndex: number | null; trialNumber: number },
): Promise<SalvoError> {
  const { trials } = run.options;
  const of = scenarioIndex === null ? `run ${run.run_id}` : `${nameOf(run, scenarioIndex)} in run ${run.run_id}`;
  // A trial that was judged again alone keeps its number.
  if (run.reeval_of !== null) {
    return new SalvoError(
      'UNKNOWN_TRIAL',
      `There is no trial ${trialNumber} of ${of}, which judged trials of run ${run.reeval_of} again. \`salvo replay ${run.reeval_of}/${trialNumber}\` looks there.`,
    );
  }
  if (trialNumber < 1 || trialNumber > trials) {
    return new SalvoError(
      'UNKNOWN_TRIAL',
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
  if (reeval_of !== null) return ` It was interrupted. \`salvo reeval ${reeval_of}\` judges the stored traces again.`;
  const isEarlyStop = scenarios.some(({ summary }) => summary?.stopped === 'early_stop');
  return isEarlyStop
    ? ' The run was stopped early, because the verdict was certain.'
    : ` \`salvo run --resume ${run_id}\` runs what is missing.`;
}

function severalTrials(run: RunRecord, found: readonly StoredTrial[], trialNumber: number): SalvoError {
  const handles = scenarioHandles(run.scenarios);
  const failed = found.filter(isFailure);
  const listed = (failed.length > 0 ? failed : found).map(
    ({ scenario_index }) =>
      `\n  ${replayCommand({ runId: run.run_id, scenario: handles[scenario_index] ?? '', trialNumber })}`,
  );
  const more = listed.length > MOST_LISTED ? `\n  ... and ${listed.length - MOST_LISTED} more` : '';
  const how = failed.length > 0 ? `${failed.length} of them failed` : 'none of them failed';
  return new SalvoError(
    'AMBIGUOUS_TRIAL',
    `${found.length} scenarios of run ${run.run_id} have a trial ${trialNumber}, and ${how}. Choose one:${listed.slice(0, MOST_LISTED).join('')}${more}`,
  );
}

function nameOf(run: RunRecord, scenarioIndex: number): string {
  return safeLine(run.scenarios[scenarioIndex]?.name ?? `scenario ${scenarioIndex + 1}`);
}
