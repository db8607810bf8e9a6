import { scenarioJudges } from '../../judge/scenario-judges.ts';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import type { ProjectConfig } from '../../scenario/schema/project-schema.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { addCosts, noEarlierTrials, readEarlierTrials, whatIsMissing } from '../record/earlier-trials.ts';
import {
  countedCases,
  inLookOrder,
  plannedCases,
  plannedTrials,
  trialKey,
  trialNumberAt,
} from '../record/planned-cases.ts';
import type { TrialCost } from '../record/run-record.ts';
import { casesOfShard } from '../record/shard.ts';
import { createScenarioTally } from '../tally/scenario-tally.ts';
import { isVerdictCertain } from '../verdict/early-stop.ts';
import { scenarioGates } from '../verdict/gates.ts';
import type { TrialJob } from './begin-trial.ts';
import type { ConductedRun, CountedScenario } from './run-request.ts';

/** What is known of a scenario while its trials run. */
export type ScenarioState = ReturnType<typeof emptyStates>[number];

/**
 * Why no further trial is started: it could not change the verdict, the comparison is decided, the agent crashes in each, or its own tools ran
 * instead of the mocks and may have real effects. Null otherwise.
 */
const NOT_ENDED: { ended: 'early_stop' | 'decided' | 'equal_crashes' | 'mock_bypassed' | null } = { ended: null };

/** One for each scenario, with the trials that are stored when the run is resumed. */
export async function openStates(plan: ConductedRun): Promise<ScenarioState[]> {
  const { run, recorder } = plan;
  const states = emptyStates(plan);
  plan.watch?.onEnd((index) => {
    const state = states[index];
    if (state) state.ended ??= 'decided';
  });
  if (plan.resumed) {
    await readEarlierTrials({
      runId: run.run_id,
      recorder,
      of: (index) => states[index]?.earlier,
      add: (index, result) => {
        const state = states[index];
        if (state) addResult(state, result, plan);
      },
    });
    for (const { earlier, notJudged } of states) {
      for (const [key, { cost }] of earlier.traces) notJudged.set(key, cost);
    }
  }
  await plan.watch?.settled();
  return states;
}

/**
 * The states of a run whose trials others have performed: every result counts that is stored, scored or not. `isLeft`
 * tells of a trial whether it was to be repeated, and was not.
 */
export async function storedStates(
  plan: ConductedRun,
  isLeft: (scenario: number, key: number) => boolean,
): Promise<ScenarioState[]> {
  const { run, recorder } = plan;
  const states = emptyStates(plan);
  for await (const trial of recorder.trials(run.run_id)) {
    const { scenario_index: index, result, earlier_cost } = trial;
    const state = states[index];
    if (!state) continue;
    const key = trialKey(trial.case_index, trial.trial_number);
    const missing = result && !isLeft(index, key) ? null : await whatIsMissing(trial, recorder);
    if (earlier_cost) state.earlier.repeatedCosts.set(key, earlier_cost);
    if (missing?.what === 'judgement') state.notJudged.set(key, missing.cost);
    if (missing?.what === 'everything') state.earlier.repeatedCosts.set(key, addCosts(earlier_cost, missing.cost));
    if (result && missing === null) addResult(state, result, plan);
  }
  return states;
}

/** Of each scenario, before any trial is counted. */
function emptyStates(plan: ConductedRun) {
  const { run } = plan;
  const planned = plan.scenarios.map(({ scenario }, index) =>
    plannedCases(scenario, { options: run.options, chosen: run.options.cases?.[index] ?? null }),
  );
  const ours = run.options.shard ? casesOfShard(planned, run.options.shard) : planned;
  return plan.scenarios.map((scenario, index) => {
    const { name, threshold } = scenario.scenario;
    // Of the record, not of the files: salvo.yaml may have changed since a resumed run began.
    const recorded = run.scenarios[index]?.scenario ?? scenario.scenario;
    const gates = scenarioGates(run.options, recorded);
    const cases = ours[index] ?? [];
    const tally = createScenarioTally({
      gates,
      name,
      file: scenario.relativeFile,
      model: scenario.model,
      adapter: scenario.adapterName,
      prompt_of: recorded.prompt_of,
      threshold,
      cases,
      startedAt: run.created_at,
    });
    const { counted, isQuarantined } = countedCases(cases, run.created_at);
    return {
      scenario,
      gates,
      tally,
      cases,
      /** In the order in which they run. */
      inOrder: run.options.against?.until ? inLookOrder(cases, ({ name }) => name) : cases,
      planned: plannedTrials(cases),
      /** How many of them are part of the verdict. */
      counted: plannedTrials(counted),
      /** Whether the scenario is no part of the verdict of the run. */
      isQuarantined,
      /** What the trials cost whose trace is stored, but that have no result, by the trial's key. */
      notJudged: new Map<number, TrialCost>(),
      earlier: noEarlierTrials(),
      ...NOT_ENDED,
      crashes: createCrashWatch(),
      outage: scenarioOutage({
        scenario,
        judge: plan.judge,
        recordOnly: run.options.record_only,
        outageOf: plan.outageOf,
      }),
    };
  });
}

type CountingPlan = Pick<ConductedRun, 'run' | 'earlyStop' | 'watch' | 'scenarios'>;

function addResult(state: ScenarioState, result: TrialResult, plan: CountingPlan): void {
  const { options } = plan.run;
  state.tally.add(result);
  plan.watch?.add(plan.scenarios.indexOf(state.scenario), result);
  state.notJudged.delete(trialKey(result.case_index, result.trial_number));
  if (!plan.earlyStop || options.record_only || state.isQuarantined) return;
  const assertions = everyAssertion(state.scenario.scenario);
  const isCertain = isVerdictCertain(
    state.tally.counts(),
    { ...state.gates, assertions },
    { trials: state.counted, allow_unscored: options.allow_unscored },
  );
  if (isCertain) state.ended ??= 'early_stop';
}

/** Counts a trial that has just finished. Those of before a resume do not prove that the agent still crashes. */
export function addFinished(state: ScenarioState, result: TrialResult, plan: CountingPlan): void {
  addResult(state, result, plan);
  if (state.crashes.add(result)) state.ended ??= 'equal_crashes';
  if (result.error_code === 'MOCK_BYPASSED') state.ended ??= 'mock_bypassed';
}

/** Scenarios take turns, and so do their cases: a run that is stopped early has trials of each. */
export function* missingTrials(states: readonly ScenarioState[]): Generator<TrialJob> {
  const mostTrials = largest(states.flatMap(({ cases }) => cases.map(({ trials }) => trials)));
  const mostCases = largest(states.map(({ cases }) => cases.length));
  for (let turn = 0; turn < mostTrials; turn += 1) {
    for (let position = 0; position < mostCases; position += 1) {
      for (const [scenario, state] of states.entries()) {
        const ofCase = state.inOrder[position];
        if (!ofCase || turn >= ofCase.trials) continue;
        const { index, name } = ofCase;
        const trialNumber = trialNumberAt(ofCase, turn);
        const key = trialKey(index, trialNumber);
        if (state.earlier.done.has(key)) continue;
        // Checked when the job is taken, because meanwhile it may have become certain that no trial is needed.
        if (state.ended) continue;
        if (state.outage({ isRecorded: state.earlier.traces.has(key) })) continue;
        yield { scenario, caseIndex: index, caseName: name, trialNumber };
      }
    }
  }
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, each) => Math.max(most, each), 0);
}

/** Why no further trial of a scenario can be scored; null as long as one may be. */
export type ScenarioOutage = (trial: { isRecorded: boolean }) => { message: string; code: string } | null;

/** Looks at the scenario's agent, unless the trial's trace is recorded already, and at its judges. */
export function scenarioOutage(options: {
  scenario: CountedScenario;
  judge: ProjectConfig['judge'] | undefined;
  recordOnly: boolean;
  outageOf: ConductedRun['outageOf'];
}): ScenarioOutage {
  const { outageOf } = options;
  const { adapterName, model, scenario } = options.scenario;
  const agent = outageOf(adapterName, model);
  const panels = options.recordOnly
    ? []
    : scenarioJudges(scenario, options.judge).map(({ judges, isCascade }) => ({
        outages: judges.map((each) => outageOf(each.adapter, each.model)),
        isCascade,
      }));
  return ({ isRecorded }) => {
    if (!isRecorded && agent.proof) return agent.proof;
    for (const { outages, isCascade } of panels) {
      const proofs = outages.flatMap(({ proof }) => proof ?? []);
      const working = outages.length - proofs.length;
      // The judges of a panel give the same number of votes, and more than half of them have to be readable. What one
      // stage of a cascade cannot judge is judged by the next.
      if (proofs[0] && (isCascade ? working === 0 : 2 * working <= outages.length)) return proofs[0];
    }
    return null;
  };
}

/** So many trials at the beginning that crash alike are a proof that all of them would. */
const EQUAL_CRASHES = 3;

/**
 * Notices that an agent crashes in the same way in every trial.
 * @internal Exported for its tests.
 */
export function createCrashWatch() {
  let first: string | null = null;
  let equal = 0;
  let isOver = false;
  return {
    /** Counts a trial that has finished. Returns whether the first ones have all crashed alike. */
    add({ status, error_message }: Pick<TrialResult, 'status' | 'error_message'>): boolean {
      if (isOver) return equal >= EQUAL_CRASHES;
      const crash = status === 'crashed' ? kindOf(error_message ?? '') : null;
      first ??= crash;
      if (crash !== null && crash === first) equal += 1;
      isOver = crash === null || crash !== first || equal >= EQUAL_CRASHES;
      return equal >= EQUAL_CRASHES;
    },
  };
}

/** Numbers and ids in a message may differ from trial to trial. */
function kindOf(message: string): string {
  return message.replace(/\w+/g, (word) => (/\d/.test(word) ? '#' : word));
}
