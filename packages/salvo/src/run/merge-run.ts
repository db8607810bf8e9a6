import type { CalibrationRecord } from '../judge/calibration/calibration-record.ts';
import { runPool } from '../queue/run-pool.ts';
import { agentCost } from '../trace/cost-fields.ts';
import type { Trace } from '../trace/trace.ts';
import { trialCost } from './record/earlier-trials.ts';
import { countedCases, isOnlyRecorded, type PlannedCase, plannedTrials } from './record/planned-cases.ts';
import type { ScenarioSummary } from './record/run-document.ts';
import type { RunRecord, RunRecorder, StoredTrial, TrialCost } from './record/run-record.ts';
import { createScenarioTally } from './tally/scenario-tally.ts';
import { scenarioGates } from './verdict/gates.ts';
import { withCalibrations } from './verdict/judge-calibrations.ts';
import { runVerdict } from './verdict/verdict.ts';

export interface MergeRequest {
  /** The whole run, without summaries. */
  run: RunRecord;
  /** For each scenario: its cases with all their trials, or its summary if it was skipped. */
  scenarios: (PlannedCase[] | ScenarioSummary)[];
  /** Of all shards, in any order. `run_id` is that of the shard. */
  trials: AsyncIterable<{ trial: StoredTrial; trace: Trace | null }>;
  /** What the shards say of a scenario: one summary for each part. */
  summariesOf: (scenario: number) => ScenarioSummary[];
  calibrationOf: (judgeHash: string) => Promise<CalibrationRecord | null>;
  /** Parts are missing, so there is no verdict, whatever the run tolerates. */
  isIncomplete: boolean;
  finishedAt: string;
  /** Called before the verdict is stored: a baseline may judge the scenarios. */
  judgeSummaries?: ((summaries: ScenarioSummary[]) => Promise<ScenarioSummary[]>) | undefined;
  recorder: RunRecorder;
}

/** Trials that are stored together, in one transaction: one after the other would wait for the disk each time. */
const AT_ONCE = 100;

type MergedScenario = NonNullable<ReturnType<typeof openTally>>;

/**
 * Stores the trials of all shards as one run, with the summaries and the verdict that one machine would have given.
 * After a kill it can be repeated: a trial replaces the same one.
 */
export async function mergeRun(request: MergeRequest): Promise<void> {
  const { run, recorder } = request;
  await using lease = await recorder.claim({ kind: 'run', id: run.run_id });
  if (!(await recorder.getRun(run.run_id))) await recorder.createRun(run);
  const merged = request.scenarios.map((each, index) => (Array.isArray(each) ? openTally(run, index, each) : null));
  await runPool({
    jobs: request.trials,
    concurrency: AT_ONCE,
    stop: lease.lost,
    perform: (line) => addTrial(line, merged[line.trial.scenario_index] ?? null, request),
  });
  lease.lost.throwIfAborted();
  const summaries = await Promise.all(
    request.scenarios.map(async (each, index) => {
      const scenario = merged[index];
      if (!scenario) return Array.isArray(each) ? [] : [each];
      return [await summaryOf(scenario, request.summariesOf(index), request)];
    }),
  );
  const own = summaries.flat();
  const all = request.judgeSummaries ? await request.judgeSummaries(own) : own;
  const verdict = request.isIncomplete ? runVerdict(['UNSCORED']) : runVerdict(all.map((each) => each.verdict));
  const isInterrupted = request.isIncomplete || all.some(({ stopped }) => stopped === 'interrupted');
  await recorder.updateRun(run.run_id, {
    status: isInterrupted ? 'interrupted' : 'finished',
    finished_at: request.finishedAt,
    ...verdict,
    summaries: all,
  });
}

function openTally(run: RunRecord, index: number, cases: PlannedCase[]) {
  const entry = run.scenarios[index];
  if (!entry) return null;
  const { file, model, adapter, scenario } = entry;
  const { name, threshold, prompt_of } = scenario;
  const gates = scenarioGates(run.options, scenario);
  const startedAt = run.created_at;
  const tally = createScenarioTally({ gates, name, file, model, adapter, prompt_of, threshold, cases, startedAt });
  const { counted } = countedCases(cases, startedAt);
  const notJudged: TrialCost[] = [];
  const earlierCosts: TrialCost[] = [];
  // Trials of cases in quarantine do not decide the verdict.
  return { scenario, tally, counted: plannedTrials(counted), notJudged, earlierCosts };
}

async function addTrial(
  { trial, trace }: { trial: StoredTrial; trace: Trace | null },
  scenario: MergedScenario | null,
  { run, recorder }: MergeRequest,
): Promise<void> {
  const { result: _, trace_id: __, ...place } = { ...trial, run_id: run.run_id };
  const traceId = trace && (await recorder.saveTrace(trace, place));
  const result = trial.result && { ...trial.result, trace_id: traceId };
  await recorder.saveTrial({ ...place, trace_id: traceId, result });
  if (!scenario) return;
  if (trial.earlier_cost) scenario.earlierCosts.push(trial.earlier_cost);
  if (result) scenario.tally.add(result);
  else if (trace) scenario.notJudged.push(trialCost({ agent: agentCost(trace) }));
}

/** Why a part may have fewer trials than planned. The first that is true of any part is named. */
const STOPPED_PARTS = ['provider', 'mock_bypassed', 'equal_crashes', 'budget'] as const;

async function summaryOf(
  { scenario, tally, counted, notJudged, earlierCosts }: MergedScenario,
  parts: ScenarioSummary[],
  { run, isIncomplete, calibrationOf }: MergeRequest,
): Promise<ScenarioSummary> {
  const isMissing = tally.counts().total < counted;
  const proof = parts.find(({ stopped }) => stopped === 'provider');
  const stopped = STOPPED_PARTS.find((why) => parts.some((each) => each.stopped === why));
  const summary = tally.summary({
    stopped: isMissing ? (stopped ?? 'interrupted') : null,
    stopError: isMissing ? proof?.stop_error : null,
    notJudged,
    earlierCosts,
    allowUnscored: run.options.allow_unscored && !isIncomplete,
    recordOnly: isOnlyRecorded(run.options, scenario),
  });
  return await withJudges(summary, parts, calibrationOf);
}

/** Which judges were compared with people is known where the shards ran. Their calibrations may be stored here, too. */
async function withJudges(
  summary: ScenarioSummary,
  parts: readonly ScenarioSummary[],
  calibrationOf: MergeRequest['calibrationOf'],
): Promise<ScenarioSummary> {
  const ofParts = parts.flatMap(({ judges }) => judges);
  const known = new Map(ofParts.map((judge) => [judge.judge_hash, judge]));
  // Each part was checked by itself. One that found a change is enough.
  const driftOf = (judgeHash: string) => {
    const checks = ofParts.flatMap(({ judge_hash, drift }) => (judge_hash === judgeHash && drift ? [drift] : []));
    return checks.find(({ outcome }) => outcome === 'changed') ?? checks[0];
  };
  const corrected = await withCalibrations(summary, async (judgeHash) => {
    const record = known.get(judgeHash)?.calibrated ? await calibrationOf(judgeHash) : null;
    return record ? { record, drift: driftOf(judgeHash) } : undefined;
  });
  const judges = corrected.judges.map((judge) => {
    const there = known.get(judge.judge_hash);
    if (!there || judge.calibrated) return judge;
    const { calibrated, calibration_verdict, calibration_note } = there;
    const drift = driftOf(judge.judge_hash);
    return { ...judge, calibrated, calibration_verdict, calibration_note, ...(drift && { drift }) };
  });
  return { ...corrected, judges };
}
