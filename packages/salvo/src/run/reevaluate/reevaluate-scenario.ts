import { namedCases } from '../../evaluators/assertion-ids.ts';
import type { ReplayedState } from '../../evaluators/evaluator.ts';
import { needsExactScores } from '../../evaluators/score-stakes.ts';
import type { Budget } from '../../models/budget/budget.ts';
import { runPool } from '../../queue/run-pool.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { taskChanges } from '../../scenario/scenario-identity.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { isMetadataOnly } from '../../trace/not-recorded.ts';
import type { Trace } from '../../trace/trace.ts';
import { evaluateTrial } from '../../trial/evaluate-trial.ts';
import type { Player } from '../../trial/tools/play-calls.ts';
import { toolsByCase } from '../../trial/tools/scenario-tools.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { pairedCases } from '../record/paired-cases.ts';
import { countedCases, isOnlyRecorded, plannedTrials } from '../record/planned-cases.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import type { RunRecord, RunScenario, StoredTrial } from '../record/run-record.ts';
import { createScenarioTally, type TalliedScenario } from '../tally/scenario-tally.ts';
import { isVerdictCertain } from '../verdict/early-stop.ts';
import { type Gates, scenarioGates } from '../verdict/gates.ts';
import { withCalibrations } from '../verdict/judge-calibrations.ts';
import { isSingle, judgedCases } from './judged-cases.ts';
import type { ChangedTrial, ReevaluatedScenario, ReevaluateOptions } from './reevaluation.ts';

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

/** Judges the stored traces of one scenario again, and stores the results in the new run. */
export async function reevaluateScenario(of: ScenarioOfRun, options: ReevaluateOptions): Promise<ReevaluatedScenario> {
  const { run, position, index, then, loaded, snapshot } = of;
  const { source } = options;
  const cases = namedCases(loaded.scenario);
  const toolsOf = await toolsByCase(loaded);
  const planned = judgedCases(loaded.scenario, { ...options, index });
  const tallyOf = (
    { name, threshold, prompt_of }: Scenario,
    gates: Gates,
    quarantine: Pick<TalliedScenario, 'cases' | 'startedAt'>,
  ) =>
    createScenarioTally({
      ...{ gates, name, file: loaded.relativeFile, model: then.model, adapter: then.adapter, threshold, prompt_of },
      ...quarantine,
    });
  const gates = scenarioGates(run.options, run.scenarios[position]?.scenario ?? loaded.scenario);
  const before = tallyOf(then.scenario, scenarioGates(source.options, then.scenario), {
    cases: planned.map((each) => ({ ...each, quarantine: each.quarantineThen })),
    startedAt: source.created_at,
  });
  const after = tallyOf(loaded.scenario, gates, { cases: planned, startedAt: run.created_at });
  const changedTrials: ChangedTrial[] = [];
  const otherAnswers = new Set<string>();
  let stopped: 'interrupted' | 'budget' | null = null;
  const caseNow = pairedCases(then.scenario, loaded.scenario);
  await runPool({
    jobs: storedTrials(options, index),
    concurrency: options.project.config.concurrency,
    // Without `stop`: every trial is read, so that the summary of before is complete. After a stop none is judged.
    async perform(trial) {
      // Without its row a trial cannot be judged.
      const caseIndex = caseNow(trial.case_index);
      if (caseIndex === -1) return;
      const trace = trial.trace_id === null ? null : await options.recorder.getTrace(trial.trace_id);
      if (!trace || isMetadataOnly(trace)) return;
      const old = trial.result;
      if (old) before.add({ ...old, case_index: caseIndex });
      const result = await judgeAgain({ trial, trace, cases, caseIndex, toolsOf }, of, options);
      if (result === 'interrupted' || result === 'budget') {
        stopped = result;
        return;
      }
      after.add(result.judged);
      for (const tool of result.otherAnswers) otherAnswers.add(tool);
      options.onEvent?.({ type: 'trial_finished', run, scenario: position, result: result.stored });
      if (old) changedTrials.push(...changeOf(old, result.judged));
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
    !isVerdictCertain(after.counts(), { ...gates, assertions: everyAssertion(loaded.scenario) }, early)
      ? null
      : stoppedThen;
  const policy = { allowUnscored: source.options.allow_unscored };
  const calibrated = (summary: ScenarioSummary) => withCalibrations(summary, options.calibrationOf);
  return {
    name: loaded.scenario.name,
    // Imported conversations have no task but their own.
    task_changes:
      source.options.imported || then.scenario_hash === loaded.hash ? [] : taskChanges(then.scenario, snapshot),
    before: await calibrated(
      before.summary({ ...policy, stopped: stoppedThen, recordOnly: isOnlyRecorded(source.options, then.scenario) }),
    ),
    after: await calibrated(after.summary({ ...policy, stopped: stopped ?? stillStopped, recordOnly: false })),
    changed_trials: changedTrials.sort(
      (a, b) => cases.indexOf(a.case) - cases.indexOf(b.case) || a.trial_number - b.trial_number,
    ),
    ...(otherAnswers.size > 0 && { other_answers: [...otherAnswers].sort() }),
  };
}

interface TrialToJudge {
  trial: StoredTrial;
  trace: Trace;
  cases: ReturnType<typeof namedCases>;
  toolsOf: Awaited<ReturnType<typeof toolsByCase>>;
  /** In the current scenario. */
  caseIndex: number;
}

interface JudgedAgain {
  judged: TrialResult;
  stored: TrialResult;
  /** Tools that answered otherwise than in the trial. */
  otherAnswers: readonly string[];
}

/** Judges one trace and stores the result in the new run. Returns why not, if it could not be judged. */
async function judgeAgain(
  { trial, trace, cases, caseIndex, toolsOf }: TrialToJudge,
  { run, position, then, loaded, recorded, budget }: ScenarioOfRun,
  options: ReevaluateOptions,
): Promise<JudgedAgain | 'interrupted' | 'budget'> {
  const { project, source } = options;
  const { answersOf, ...judgeServices } = options.judgeServices ?? {};
  const { trial_number, trace_id } = trial;
  const { scenario } = loaded;
  const caseName = cases.fieldsOf(caseIndex)?.name ?? null;
  const reservation = options.stop?.aborted ? null : await budget.reserve(position);
  if (!reservation || options.stop?.aborted) {
    reservation?.release(null);
    return options.stop?.aborted ? 'interrupted' : 'budget';
  }
  const progress = { scenario: scenario.name, trialNumber: trial_number };
  options.onEvent?.({ type: 'trial_started', ...progress });
  const recordedScenario = trace.imported ? withoutTask(scenario) : recorded.get(trace.scenario_hash);
  const current = cases.scenarioOf(caseIndex);
  const tools = toolsOf(current);
  const trialContext = { runId: run.run_id, case: caseName ?? '', row: cases.rowOf(caseIndex) ?? {}, ...progress };
  const player = { scenario: current, tools, context: trialContext, abort: options.abort };
  const known = await stateOf(trace, player);
  const { peopleOn } = options;
  const result = await evaluateTrial({
    trace: known.trace,
    tools,
    traceId: trace_id,
    ofCase: { index: caseIndex, name: caseName },
    context: {
      ...judgeServices,
      otherAnswer:
        answersOf && ((name) => answersOf(name, { ...then, scenario, caseIndex, trialNumber: trial_number })),
      peopleOn: peopleOn && trace_id !== null ? (assertion) => peopleOn(trace_id, assertion) : undefined,
      budget: reservation,
      scenario: current,
      replayed: known.replayed,
      recordedScenario: recordedScenario && scenarioCases(recordedScenario).scenarioOf(trial.case_index),
      scenarioFile: loaded.file,
      project,
      exactScore: needsExactScores(source.options, scenario, project.config.defaults),
      trialNumber: trial_number,
      seed: source.options.seed ?? scenario.seed ?? 0,
      signal: options.abort,
      checks: loaded.functions?.checks,
      trialContext,
    },
  }).finally(() => {
    reservation.release();
    options.onEvent?.({ type: 'trial_ended', ...progress });
  });
  // Too few votes could be paid for.
  if (reservation.wasRefused && result.status === 'unscored') return 'budget';
  const place = { run_id: run.run_id, scenario_index: position, case_index: caseIndex, case: caseName };
  const stored = await options.recorder.saveTrial({ ...place, trial_number, trace_id, result, earlier_cost: null });
  return { judged: result, stored: stored.result ?? result, otherAnswers: known.replayed?.tools ?? [] };
}

/** An imported conversation was not held by a scenario: its task is what its user says. */
export function withoutTask({ prompt: _, messages: __, user: ___, ...scenario }: Scenario): Scenario {
  return scenario;
}

const READS_STATE: ReadonlySet<string> = new Set(['final_state', 'function', 'custom']);

/** Loaded only for assertions on a state. */
async function stateOf(trace: Trace, player: Player): Promise<{ trace: Trace; replayed?: ReplayedState }> {
  const { state, assertions } = player.scenario;
  if (state === undefined || !assertions.some(({ type }) => READS_STATE.has(type))) return { trace };
  const { replayState } = await import('../../trial/tools/replay-state.ts');
  return replayState(trace, player);
}

function changeOf(before: TrialResult, after: TrialResult): ChangedTrial[] {
  if (before.status === after.status && before.score === after.score) return [];
  return [
    {
      case: after.case,
      trial_number: after.trial_number,
      before: before.status,
      after: after.status,
      score_before: before.score,
      score_after: after.score,
    },
  ];
}

/** Throws unless the scenario has a stored trace with its texts. */
export async function refuseUnlessJudgeable(options: ReevaluateOptions, index: number): Promise<void> {
  const { recorder, source } = options;
  const of = `run ${source.run_id}, scenario ${source.scenarios[index]?.name}`;
  for await (const { trace_id } of storedTrials(options, index)) {
    const trace = trace_id === null ? null : await recorder.getTrace(trace_id);
    if (!trace) continue;
    if (!isMetadataOnly(trace)) return;
    throw new SalvoError(
      'TRACE_TEXT_MISSING',
      `The traces of ${of} were recorded without their texts (\`recording: { mode: metadata_only }\` in salvo.yaml), so nothing can be judged again.`,
    );
  }
  throw new SalvoError('TRACES_MISSING', `There is no stored trace of ${of}.`);
}

/** The trials of a scenario of the source that are judged again. */
async function* storedTrials(options: ReevaluateOptions, index: number): AsyncGenerator<StoredTrial> {
  const { only, recorder, source } = options;
  for await (const trial of recorder.trials(source.run_id, { scenarioIndex: index })) {
    if (trial.trial_number !== (only?.trial_number ?? trial.trial_number)) continue;
    if (trial.case_index !== (only?.case_index ?? trial.case_index)) continue;
    yield trial;
  }
}
