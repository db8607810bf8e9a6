import type { EvaluationContext } from '../../evaluators/evaluator.ts';
import { namedCases } from '../../evaluators/named-cases.ts';
import { needsExactScores } from '../../evaluators/score-stakes.ts';
import type { TrialStatus } from '../../evaluators/trial-status.ts';
import type { CalibrationOf } from '../../judge/calibration/judges-in-use.ts';
import type { Budget } from '../../models/budget/budget.ts';
import { createBudget } from '../../models/budget/limited-budget.ts';
import { votesOfRun } from '../../models/call/vote-cache.ts';
import { joinedSignals } from '../../queue/lease.ts';
import { runPool } from '../../queue/run-pool.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { taskChanges } from '../../scenario/scenario-identity.ts';
import type { Project } from '../../scenario/schema/project-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import { evaluateTrial } from '../../trial/evaluate-trial.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { newRun } from '../record/new-run.ts';
import { pairedCases } from '../record/paired-cases.ts';
import { countedCases, plannedTrials } from '../record/planned-cases.ts';
import { recordedScenarios } from '../record/recorded-scenarios.ts';
import type { ScenarioSummary, Verdict } from '../record/run-document.ts';
import type { RunRecord, RunRecorder, RunScenario, StoredTrial, TrialsOfRun } from '../record/run-record.ts';
import { createScenarioTally } from '../tally/scenario-tally.ts';
import { isVerdictCertain } from '../verdict/early-stop.ts';
import { type Gates, scenarioGates, withProjectGates } from '../verdict/gates.ts';
import { withCalibrations } from '../verdict/judge-calibrations.ts';
import { runVerdict } from '../verdict/verdict.ts';
import { hasPartOfCases, isSingle, judgedCases } from './judged-cases.ts';

/** The same traces judged by the earlier assertions and by the current ones. */
export interface ReevaluatedScenario {
  name: string;
  /** Fields that influence the agent and differ from those that the traces were recorded with. */
  task_changes: string[];
  before: ScenarioSummary;
  after: ScenarioSummary;
  changed_trials: readonly ChangedTrial[];
}

export interface ChangedTrial {
  /** The name of the case; null without data. */
  case: string | null;
  trial_number: number;
  before: TrialStatus;
  after: TrialStatus;
  score_before: number | null;
  score_after: number | null;
}

export interface Reevaluation {
  run: RunRecord;
  /** Why the budget refused judges; null when it did not. */
  budgetRefusal: string | null;
  verdict: Verdict;
  exitCode: number;
  scenarios: ReevaluatedScenario[];
}

export type ReevaluateEvent =
  | { type: 'reevaluation_started'; total: number }
  | { type: 'trial_started'; scenario: string; trialNumber: number }
  /** Its result follows, unless it was interrupted. */
  | { type: 'trial_ended'; scenario: string; trialNumber: number }
  /** `run` is the new run, which stores the result. */
  | { type: 'trial_finished'; run: RunRecord; scenario: number; result: TrialResult };

export interface ReevaluateOptions {
  /** The run whose traces are judged again. */
  source: RunRecord;
  /** The current version of a scenario of the source, by position; null if it is not judged again. */
  scenarioOf: (index: number) => LoadedScenario | null;
  only?: TrialsOfRun | undefined;
  recorder: RunRecorder;
  judgeServices?: Pick<EvaluationContext, 'models' | 'voteCache'> | undefined;
  /** Called at the end, for every judge that was asked. */
  calibrationOf?: CalibrationOf | undefined;
  project: Project;
  budgetUsd?: number | null | undefined;
  /** Aborted: no further trial is judged. */
  stop?: AbortSignal | undefined;
  /** Aborted: what is being judged is given up, too. */
  abort?: AbortSignal | undefined;
  onEvent?: ((event: ReevaluateEvent) => void) | undefined;
}

/** Applies assertions to stored traces, as a new run of its own. No agent is called. */
export async function reevaluate(options: ReevaluateOptions): Promise<Reevaluation> {
  const { source, recorder } = options;
  const chosen = source.scenarios.flatMap((then, index) => {
    if (options.only && options.only.scenario_index !== index) return [];
    const loaded = options.scenarioOf(index);
    return loaded ? [{ then, index, loaded }] : [];
  });
  // Before the first write: a reevaluation that is refused must not leave a run behind.
  for (const { index } of chosen) await refuseUnlessJudgeable(options, index);
  const recorded = await recordedScenarios(source, recorder);
  const judgedIndices = ({ loaded, index }: (typeof chosen)[number]) =>
    judgedCases(loaded.scenario, { ...options, index }).map((each) => each.index);
  const run = newRun({
    reeval_of: source.run_id,
    git: source.git,
    options: {
      ...source.options,
      trials: isSingle(options.only) ? 1 : source.options.trials,
      cases: hasPartOfCases(options) ? chosen.map(judgedIndices) : null,
      record_only: false,
    },
    scenarios: chosen.map(({ then, loaded }) => ({
      ...then,
      name: loaded.scenario.name,
      file: loaded.relativeFile,
      scenario_hash: loaded.hash,
      scenario: withProjectGates(loaded.scenario, options.project.config),
      summary: null,
    })),
  });
  await using lease = await recorder.claim({ kind: 'run', id: run.run_id });
  const { judgeServices } = options;
  const signals = joinedSignals(options, lease);
  const voteCache = judgeServices?.voteCache && votesOfRun(judgeServices.voteCache, run.run_id);
  const working: ReevaluateOptions = {
    ...options,
    judgeServices: judgeServices && { ...judgeServices, voteCache },
    ...signals,
  };
  await recorder.createRun(run);
  options.onEvent?.({
    type: 'reevaluation_started',
    total: isSingle(options.only) ? 1 : chosen.reduce((sum, { then }) => sum + (then.summary?.trials_total ?? 1), 0),
  });
  // As stored, without secrets, like the snapshot that it is compared with.
  const snapshots = (await recorder.getRun(run.run_id))?.scenarios ?? [];
  const budget = createBudget(options.budgetUsd ?? null);
  const scenarios: ReevaluatedScenario[] = [];
  for (const [position, { then, index, loaded }] of chosen.entries()) {
    const snapshot = snapshots[position]?.scenario ?? loaded.scenario;
    const place = { run, position, then, index, loaded, snapshot, recorded, budget };
    scenarios.push(await reevaluateScenario(place, working));
  }
  lease.lost.throwIfAborted();
  const summaries = scenarios.map(({ after }) => after);
  const { verdict, exit_code } = runVerdict(summaries.map((summary) => summary.verdict));
  const finished_at = new Date().toISOString();
  const status = signals.stop.aborted ? 'interrupted' : 'finished';
  await recorder.updateRun(run.run_id, { status, finished_at, verdict, exit_code, summaries });
  return { run, verdict, exitCode: exit_code, scenarios, budgetRefusal: budget.refusal };
}

type Tallied = Parameters<typeof createScenarioTally>[0];

interface ScenarioOfRun {
  run: RunRecord;
  /** `position` in the new run, `index` in the source. */
  position: number;
  index: number;
  then: RunScenario;
  loaded: LoadedScenario;
  /** The current scenario as it was stored. */
  snapshot: Scenario;
  recorded: ReadonlyMap<string, Scenario>;
  budget: Budget;
}

async function reevaluateScenario(
  { run, position, index, then, loaded, snapshot, recorded, budget }: ScenarioOfRun,
  options: ReevaluateOptions,
): Promise<ReevaluatedScenario> {
  const { source, recorder } = options;
  const cases = namedCases(loaded.scenario);
  const caseNow = pairedCases(then.scenario, loaded.scenario);
  const planned = judgedCases(loaded.scenario, { ...options, index });
  const tallyOf = ({ name, threshold }: Scenario, gates: Gates, quarantine: Pick<Tallied, 'cases' | 'startedAt'>) =>
    createScenarioTally({
      gates,
      name,
      file: loaded.relativeFile,
      model: then.model,
      adapter: then.adapter,
      threshold,
      ...quarantine,
    });
  const gates = scenarioGates(run.options, run.scenarios[position]?.scenario ?? loaded.scenario);
  const before = tallyOf(then.scenario, scenarioGates(source.options, then.scenario), {
    cases: planned.map((each) => ({ ...each, quarantine: each.quarantineThen })),
    startedAt: source.created_at,
  });
  const after = tallyOf(loaded.scenario, gates, { cases: planned, startedAt: run.created_at });
  const changedTrials: ChangedTrial[] = [];
  let stopped: 'interrupted' | 'budget' | null = null;
  await runPool({
    jobs: storedTrials(options, index),
    concurrency: options.project.config.concurrency,
    // Without `stop`: every trial is read, so that the summary of before is complete. After a stop none is judged.
    async perform({ case_index, trial_number, trace_id, result: old }) {
      // Without its row a trial cannot be judged.
      const caseIndex = caseNow(case_index);
      if (caseIndex === -1) return;
      const caseName = cases.fieldsOf(caseIndex)?.name ?? null;
      const trace = trace_id === null ? null : await recorder.getTrace(trace_id);
      if (!trace || isMetadataOnly(trace)) return;
      if (old) before.add({ ...old, case_index: caseIndex });
      const reservation = options.stop?.aborted ? null : await budget.reserve(position);
      if (!reservation || options.stop?.aborted) {
        stopped = options.stop?.aborted ? 'interrupted' : 'budget';
        return reservation?.release(null);
      }
      const progress = { scenario: loaded.scenario.name, trialNumber: trial_number };
      options.onEvent?.({ type: 'trial_started', ...progress });
      const scenario = cases.scenarioOf(caseIndex);
      const recordedScenario = recorded.get(trace.scenario_hash);
      const result = await evaluateTrial({
        trace,
        traceId: trace_id,
        ofCase: { index: caseIndex, name: caseName },
        context: {
          ...options.judgeServices,
          budget: reservation,
          scenario,
          recordedScenario: recordedScenario && scenarioCases(recordedScenario).scenarioOf(case_index),
          scenarioFile: loaded.file,
          project: options.project,
          exactScore: needsExactScores(source.options, loaded.scenario, options.project.config.defaults),
          trialNumber: trial_number,
          seed: source.options.seed ?? loaded.scenario.seed ?? 0,
          signal: options.abort,
          checks: loaded.functions?.checks,
          trialContext: {
            runId: run.run_id,
            scenario: loaded.scenario.name,
            case: caseName ?? '',
            row: cases.rowOf(caseIndex) ?? {},
            trialNumber: trial_number,
          },
        },
      }).finally(() => {
        reservation.release();
        options.onEvent?.({ type: 'trial_ended', ...progress });
      });
      // Too few votes could be paid for.
      if (reservation.wasRefused && result.status === 'unscored') {
        stopped = 'budget';
        return;
      }
      const place = { run_id: run.run_id, scenario_index: position, case_index: caseIndex, case: caseName };
      const stored = await recorder.saveTrial({ ...place, trial_number, trace_id, result, earlier_cost: null });
      after.add(result);
      options.onEvent?.({ type: 'trial_finished', run, scenario: position, result: stored.result ?? result });
      if (!old || (old.status === result.status && old.score === result.score)) return;
      changedTrials.push({
        case: caseName,
        trial_number,
        before: old.status,
        after: result.status,
        score_before: old.score,
        score_after: result.score,
      });
    },
  });
  const early = {
    trials: plannedTrials(countedCases(planned, run.created_at).counted),
    allow_unscored: source.options.allow_unscored,
  };
  const stoppedThen = isSingle(options.only) ? null : (then.summary?.stopped ?? null);
  // Trials that could not change the verdict of the earlier assertions may change the current one.
  const stillStopped =
    stoppedThen === 'early_stop' &&
    !isVerdictCertain(after.counts(), { ...gates, assertions: loaded.scenario.assertions }, early)
      ? null
      : stoppedThen;
  const policy = { allowUnscored: source.options.allow_unscored };
  const calibrated = (summary: ScenarioSummary) => withCalibrations(summary, options.calibrationOf);
  return {
    name: loaded.scenario.name,
    task_changes: then.scenario_hash === loaded.hash ? [] : taskChanges(then.scenario, snapshot),
    before: await calibrated(
      before.summary({ ...policy, stopped: stoppedThen, recordOnly: source.options.record_only }),
    ),
    after: await calibrated(after.summary({ ...policy, stopped: stopped ?? stillStopped, recordOnly: false })),
    changed_trials: changedTrials.sort(
      (a, b) => cases.indexOf(a.case) - cases.indexOf(b.case) || a.trial_number - b.trial_number,
    ),
  };
}

async function* storedTrials(options: ReevaluateOptions, index: number): AsyncGenerator<StoredTrial> {
  const { only, recorder, source } = options;
  for await (const trial of recorder.trials(source.run_id, { scenarioIndex: index })) {
    if (trial.trial_number !== (only?.trial_number ?? trial.trial_number)) continue;
    if (trial.case_index !== (only?.case_index ?? trial.case_index)) continue;
    yield trial;
  }
}

async function refuseUnlessJudgeable(options: ReevaluateOptions, index: number): Promise<void> {
  const { recorder, source } = options;
  const of = `run ${source.run_id}, scenario ${source.scenarios[index]?.name}`;
  for await (const { trace_id } of storedTrials(options, index)) {
    const trace = trace_id === null ? null : await recorder.getTrace(trace_id);
    if (!trace) continue;
    if (!isMetadataOnly(trace)) return;
    throw new SalvoError(
      'TRACE_WITHOUT_TEXT',
      `The traces of ${of} were recorded without their texts (\`recording: { mode: metadata_only }\` in salvo.yaml), so nothing can be judged again.`,
    );
  }
  throw new SalvoError('NOTHING_STORED', `There is no stored trace of ${of}.`);
}
