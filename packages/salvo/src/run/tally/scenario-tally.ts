import { type Cost, createCostSum, NO_COST, sumCosts } from '../../stats/cost.ts';
import { createExactSum } from '../../stats/exact-sum.ts';
import { mean, quantile } from '../../stats/mean.ts';
import { agentCost, judgeCost, judgeCostFields, userCost, userCostFields } from '../../trace/cost-fields.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { countedCases, type PlannedCase, plannedTrials } from '../record/planned-cases.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import type { TrialCost } from '../record/run-record.ts';
import type { Gates } from '../verdict/gates.ts';
import { scenarioVerdict, type TrialCounts, type VerdictPolicy } from '../verdict/verdict.ts';
import { createCaseTally, quarantineSummary } from './case-tally.ts';
import { createErrorTally } from './error-tally.ts';
import { createFailureTally } from './failure-tally.ts';
import { createGateTally } from './gate-tally.ts';
import { createJudgeTally } from './judge-tally.ts';
import { trialNames } from './trial-list.ts';

export interface ScenarioTally {
  add(trial: TrialResult): void;
  counts(): TrialCounts;
  summary(options: VerdictPolicy & SummaryOptions): ScenarioSummary;
}

interface SummaryOptions {
  stopped: ScenarioSummary['stopped'];
  /** Why no further trial could have been scored. */
  stopError?: { message: string; code: string } | null | undefined;
  /** Trials whose agent ran, but that have no result. */
  notJudged?: readonly TrialCost[] | undefined;
  /** What attempts cost that were repeated, or have to be. */
  earlierCosts?: readonly TrialCost[] | undefined;
}

/** The scenario whose trials are added up. */
export interface TalliedScenario extends Pick<ScenarioSummary, 'name' | 'file' | 'model' | 'adapter' | 'prompt_of'> {
  threshold?: number | undefined;
  gates: Gates;
  cases: readonly PlannedCase[];
  /** When the run began: a quarantine holds if it was not over then. */
  startedAt: string;
}

/**
 * Adds up the trials of a scenario as they finish. It keeps a few numbers of each and not its results, so memory stays
 * flat over ten thousand trials. The summary is bit-identical for every order of the trials.
 */
export function createScenarioTally(scenario: TalliedScenario): ScenarioTally {
  const tallies = createTallies(scenario);
  return {
    add: (trial) => addTrial(tallies, trial),
    counts: () => countsOf(tallies),
    summary: (options) => summaryOf(scenario, tallies, options),
  };
}

type Tallies = ReturnType<typeof createTallies>;

function createTallies({ cases, gates, startedAt }: TalliedScenario) {
  const { counted, isQuarantined } = countedCases(cases, startedAt);
  const named = trialNames(cases);
  const scores: number[] = [];
  const latencies: (number | null)[] = [];
  /** By the index of the case. */
  const isDecisive: boolean[] = [];
  for (const { index } of counted) isDecisive[index] = true;
  return {
    isQuarantined,
    isDecisive,
    trialsPlanned: plannedTrials(counted),
    byStatus: { passed: 0, failed: 0, hard_fail: 0, crashed: 0, unscored: 0 },
    ...{ recorded: 0, quarantined: 0, retries: 0, declared: 0, alone: 0, scores, latencies },
    scoreSum: createExactSum(),
    agents: createCostSum(),
    ofJudges: createCostSum(),
    ofUsers: createCostSum(),
    users: createUserTally(),
    given: createGivenTally(),
    failures: createFailureTally(named),
    judges: createJudgeTally({ hasCases: cases.length > 1 }),
    errors: createErrorTally(named),
    crashes: createErrorTally(named),
    byCase: createCaseTally(cases, startedAt),
    byGate: createGateTally(gates),
    answers: createIdenticalAnswers(),
    answeredBy: new Set<string>(),
  };
}

function countsOf(tallies: Tallies): TrialCounts {
  const { passed, failed, hard_fail, crashed, unscored } = tallies.byStatus;
  const scored = passed + failed + hard_fail + crashed;
  return {
    total: scored + unscored,
    scored,
    passed,
    failed,
    hardFailed: hard_fail,
    crashed,
    unscored,
    scoreSum: tallies.scoreSum.value(),
    reachable: tallies.byCase.reachable(),
  };
}

function addTrial(tallies: Tallies, trial: TrialResult): void {
  tallies.byCase.add(trial);
  tallies.retries += trial.retries;
  if (trial.observed_alone) tallies.alone += 1;
  if (trial.answered_by) tallies.answeredBy.add(trial.answered_by);
  tallies.agents.add(agentCost(trial));
  tallies.ofJudges.add(judgeCost(trial));
  tallies.ofUsers.add(userCost(trial));
  tallies.users.add(trial);
  if (!tallies.isDecisive[trial.case_index]) {
    tallies.quarantined += 1;
    return;
  }
  tallies.byStatus[trial.status] += 1;
  tallies.given.add(trial);
  if (trial.error_message === null) tallies.recorded += 1;
  else countError(tallies, trial, trial.error_message);
  tallies.judges.add(trial);
  if (trial.status === 'unscored') return;
  tallies.answers.add(trial.answer_hash);
  if (trial.eval_results.some(({ metadata }) => metadata.tools_declared === true)) tallies.declared += 1;
  tallies.failures.add(trial);
  tallies.byGate.add(trial);
  tallies.latencies.push(trial.latency_seconds);
  if (trial.score === null) return;
  tallies.scores.push(trial.score);
  tallies.scoreSum.add(trial.score);
}

/** What failed an assertion is among the failures. */
function countError(tallies: Tallies, trial: TrialResult, message: string): void {
  const { status, error_code, error_stack } = trial;
  const error = { message, trial, code: error_code, stack: error_stack ?? undefined };
  if (status === 'crashed') tallies.crashes.add(error);
  else if (status === 'unscored') tallies.errors.add(error);
}

function summaryOf(
  { cases, gates, startedAt, threshold, ...identity }: TalliedScenario,
  tallies: Tallies,
  { stopped, stopError, notJudged = [], earlierCosts = [], ...policy }: VerdictPolicy & SummaryOptions,
): ScenarioSummary {
  const counts = countsOf(tallies);
  const { recorded, trialsPlanned: planned } = tallies;
  const scoreAvg = cases.length < 2 ? mean(tallies.scores) : tallies.byCase.scoreAvg();
  const others = [...notJudged, ...earlierCosts];
  const cost = withoutFreeKills(sumCosts([tallies.agents.total(), ...others.map(agentCost)]));
  const ran = counts.total + tallies.quarantined + notJudged.length;
  const passRate = { value: tallies.byCase.passRate(), interval: tallies.byCase.interval() };
  const isOneDraw = cases.length < 2 && tallies.answers.areIdentical();
  const units = cases.length < 2 ? counts.scored : tallies.byCase.scoredCases();
  const gateResults = tallies.byGate.results(passRate, { isOneDraw, units });
  const outcome = { counts, planned, recorded, passRate: passRate.value, scoreAvg, gates, gateResults, stopped };
  return {
    ...identity,
    answered_by: [...tallies.answeredBy].sort().slice(0, MOST_MODELS),
    ...(tallies.isQuarantined && !policy.recordOnly ? QUARANTINED : scenarioVerdict(outcome, policy)),
    skipped: null,
    quarantine: sharedQuarantine(cases, startedAt),
    trials_quarantined: tallies.quarantined,
    min_pass_rate: gates.min_pass_rate,
    min_score: gates.min_score,
    gates: gateResults,
    trials_planned: planned,
    trials_total: counts.total,
    trials_scored: counts.scored,
    trials_passed: counts.passed,
    trials_failed: counts.failed,
    trials_hard_failed: counts.hardFailed,
    trials_crashed: counts.crashed,
    trials_unscored: counts.unscored,
    trials_declared: tallies.declared,
    ...(tallies.alone > 0 ? { trials_alone: tallies.alone } : {}),
    trials_not_judged: notJudged.length,
    stopped,
    stop_error: stopError ? { message: stopError.message, code: stopError.code } : null,
    pass_rate: passRate.value,
    pass_rate_ci: passRate.interval,
    identical_trials: isOneDraw,
    ...tallies.byCase.reliability(),
    score_avg: scoreAvg,
    score_min: quantile(tallies.scores, 0),
    score_p50: quantile(tallies.scores, 0.5),
    score_p95: quantile(tallies.scores, 0.95),
    threshold: threshold ?? null,
    cost_total_usd: cost.usd,
    ...(cost.at_least && { cost_at_least: cost.at_least }),
    cost_per_trial_usd: cost.usd === null || ran === 0 ? null : cost.usd / ran,
    ...judgeCostFields(withoutFreeKills(sumCosts([tallies.ofJudges.total(), ...others.map(judgeCost)]))),
    ...userCostFields(withoutFreeKills(sumCosts([tallies.ofUsers.total(), ...others.map(userCost)]))),
    ...tallies.users.summary(),
    ...tallies.given.summary(),
    ...tallies.byCase.holdout(),
    latency_p50: quantile(tallies.latencies, 0.5),
    latency_p95: quantile(tallies.latencies, 0.95),
    retries: tallies.retries,
    assertion_failures: tallies.failures.failures(),
    never_passed: tallies.failures.neverPassed(),
    judges: tallies.judges.judges(),
    errors: tallies.errors.groups(),
    crashes: tallies.crashes.groups(),
    cases: tallies.byCase.summaries({ ...policy, gates, stopped }),
  };
}

/** Calls of an agent or of judges that have cost nothing so far cost nothing in a process that was killed, either. */
function withoutFreeKills(cost: Cost): Cost {
  return cost.at_least?.usd === 0 && cost.at_least.calls_unknown === 0 ? NO_COST : cost;
}

/** A server may answer under a new name each time. */
const MOST_MODELS = 10;

const QUARANTINED = { verdict: 'QUARANTINED', decided_by: 'quarantine' } as const;

function sharedQuarantine(cases: readonly PlannedCase[], startedAt: string): ScenarioSummary['quarantine'] {
  const [first] = cases;
  if (!first?.quarantine) return null;
  const { until, reason } = first.quarantine;
  const isShared = cases.every(({ quarantine }) => quarantine?.until === until && quarantine.reason === reason);
  return isShared ? quarantineSummary(first.quarantine, startedAt) : null;
}

/** Compares every answer with the first one, so that memory does not grow with the trials. */
export function createIdenticalAnswers() {
  let first: string | null = null;
  let count = 0;
  let mayBeIdentical = true;
  return {
    /** Null or undefined: the answer is unknown. */
    add(answerHash: string | null | undefined): void {
      count += 1;
      first ??= answerHash ?? null;
      if (first === null || answerHash !== first) mayBeIdentical = false;
    },
    /** Whether there were two or more answers, all known, and all the same. */
    areIdentical: () => mayBeIdentical && count >= 2,
  };
}

/** Counts the trials with a simulated user, and those in which it broke its role. */
function createUserTally() {
  let trials = 0;
  let broke = 0;
  const kinds: Record<string, number> = {};
  return {
    add({ simulated_user: user }: TrialResult): void {
      if (!user) return;
      trials += 1;
      if (user.broke_role === null) return;
      broke += 1;
      kinds[user.broke_role] = (kinds[user.broke_role] ?? 0) + 1;
    },
    summary(): Pick<ScenarioSummary, 'simulated_users'> {
      if (trials === 0) return {};
      // In a fixed order, whatever the order of the trials was.
      const sorted = Object.fromEntries(Object.entries(kinds).sort(([a], [b]) => (a < b ? -1 : 1)));
      return { simulated_users: { trials, broke_role: broke, kinds: sorted } };
    },
  };
}

/** Counts the outcomes that came with imported conversations, and how often Salvo's own results agree with them. */
function createGivenTally() {
  let outcomes = 0;
  let passed = 0;
  let beside = 0;
  let compared = 0;
  let agree = 0;
  return {
    add(trial: TrialResult): void {
      const given = trial.eval_results.find(isGiven);
      if (!given) return;
      outcomes += 1;
      if (given.passed) passed += 1;
      if (given.weight !== 0) return;
      beside += 1;
      if (trial.status === 'unscored') return;
      compared += 1;
      if (trial.passed === given.passed) agree += 1;
    },
    summary(): Pick<ScenarioSummary, 'given'> {
      if (outcomes === 0) return {};
      return { given: { outcomes, passed, ...(beside > 0 ? { compared, agree } : { compared: null, agree: null }) } };
    },
  };
}

function isGiven({ assertion_type, status }: TrialResult['eval_results'][number]): boolean {
  return assertion_type === 'given' && status === 'scored';
}
