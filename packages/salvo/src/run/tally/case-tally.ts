import type { EvalResult } from '../../evaluators/eval-result.ts';
import { namedFailure, tellingFailures } from '../../evaluators/eval-result.ts';
import { readJudgement } from '../../judge/stored-judgement.ts';
import { isInQuarantine, type Quarantine } from '../../scenario/schema/quarantine-schema.ts';
import { createExactSum, exactSum } from '../../stats/exact-sum.ts';
import { clusterIntervals } from '../../stats/intervals/cluster-intervals.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean } from '../../stats/mean.ts';
import { studentQuantile } from '../../stats/normal.ts';
import { passAtK, passHatK } from '../../stats/pass-at-k.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { cutEnd } from '../../text/words/cut-text.ts';
import type { TrialResult } from '../../trial/trial-result.ts';
import { countedCases, type PlannedCase } from '../record/planned-cases.ts';
import type { CaseSummary, ScenarioSummary } from '../record/run-document.ts';
import type { Gates } from '../verdict/gates.ts';
import { createReachableMeans } from '../verdict/reachable-means.ts';
import { scenarioVerdict, type TrialCounts, type VerdictPolicy } from '../verdict/verdict.ts';

type CaseCounts = ReturnType<typeof newCounts>;

interface SummaryOptions extends VerdictPolicy {
  gates: Pick<Gates, 'min_pass_rate' | 'min_score'>;
  stopped: ScenarioSummary['stopped'];
}

const LONGEST_REASON = 200;
const NO_FAILURE: Pick<CaseSummary, 'reason' | 'judge'> = { reason: null, judge: undefined };

/** Counts the trials of each case. Memory grows with the cases, not with the trials. */
export function createCaseTally(cases: readonly PlannedCase[], startedAt: string) {
  /** By the index of the case. */
  const counts: CaseCounts[] = [];
  const { counted } = countedCases(cases, startedAt);
  const reach = counted.length < 2 ? null : createReachableMeans(counted);
  const inOrder = () => counted.flatMap(({ index }) => counts[index] ?? []);
  const scored = () => inOrder().filter((each) => each.scored > 0);
  return {
    add(trial: TrialResult): void {
      const count = counts[trial.case_index] ?? newCounts();
      counts[trial.case_index] = count;
      countTrial(count, trial);
      const { total, scored, passed, scores } = count;
      reach?.update(trial.case_index, { total, scored, passed, scoreSum: scores.value() });
    },
    /** None for a scenario without data. */
    summaries: ({ gates, stopped, ...policy }: SummaryOptions): CaseSummary[] =>
      cases.flatMap(({ index, name, trials, skip, quarantine: given }) => {
        if (name === null) return [];
        const count = counts[index] ?? newCounts();
        const scoreAvg = count.rated === 0 ? null : count.scores.value() / count.rated;
        const outcome = {
          counts: verdictCounts(count),
          planned: trials,
          recorded: count.recorded,
          passRate: count.scored === 0 ? null : count.passed / count.scored,
          scoreAvg,
          gates,
          stopped,
        };
        const quarantine = quarantineSummary(given, startedAt);
        const isQuarantined = quarantine?.active === true && !policy.recordOnly;
        const verdict = isQuarantined ? 'QUARANTINED' : scenarioVerdict(outcome, policy).verdict;
        return [
          {
            case_index: index,
            case: name,
            verdict: skip === null ? verdict : 'SKIPPED',
            skipped: skip,
            quarantine,
            trials_planned: trials,
            trials_total: count.total,
            trials_scored: count.scored,
            trials_passed: count.passed,
            trials_unscored: count.unscored,
            score_avg: scoreAvg,
            reason: count.reason,
            ...(count.judge && { judge: count.judge }),
          },
        ];
      }),
    /** How many cases have scored trials. */
    scoredCases: () => scored().length,
    /** Every case weighs the same, however many trials it has. Null if nothing was scored. */
    passRate: () => meanOverCases(scored(), passesOf),
    scoreAvg: () => meanOverCases(inOrder(), ({ scores, rated }) => ({ sum: scores.value(), of: rated })),
    /** What the cases that count can still reach together; undefined if there is only one. */
    reachable: (): TrialCounts['reachable'] => reach?.means(),
    /** Of the pass rate. Over several cases it leaves out whole cases: trials of one case resemble each other. */
    interval(): [number, number] | null {
      const clusters = scored();
      const random = seededRandom(0, 'cases');
      const rates = clusters.map(({ passed, scored }) => passed / scored);
      // Plain sums: the interval is drawn from hundreds of subsets.
      const rate = (kept: readonly number[]) => kept.reduce((total, each) => total + each, 0) / kept.length;
      const intervals = clusterIntervals({ clusters: rates, metrics: (kept) => [rate(kept)], random });
      return intervals?.[0] ?? wilsonInterval({ passed: sum(clusters, 'passed'), total: sum(clusters, 'scored') });
    },
    /** How far rows that are held out differ from the others, if both were scored. */
    holdout(): Pick<ScenarioSummary, 'holdout'> {
      const rated = counted.flatMap(({ index, heldOut }) => {
        const { passed, scored: of } = counts[index] ?? { passed: 0, scored: 0 };
        return heldOut === undefined || of === 0 ? [] : [{ heldOut, rate: passed / of }];
      });
      const side = (all: typeof rated, isHeld: boolean) =>
        all.flatMap((each) => (each.heldOut === isHeld ? each.rate : []));
      const average = (rates: readonly number[]) => rates.reduce((total, each) => total + each, 0) / rates.length;
      const difference = (kept: typeof rated) => average(side(kept, true)) - average(side(kept, false));
      const [held, others] = [side(rated, true), side(rated, false)];
      if (held.length === 0 || others.length === 0) return {};
      const few = Math.min(held.length, others.length) < 2;
      return {
        holdout: {
          held_out: { cases: held.length, pass_rate: average(held) },
          others: { cases: others.length, pass_rate: average(others) },
          difference: { value: difference(rated), interval: few ? null : differenceOfMeans(held, others) },
        },
      };
    },
    /** The chances that all, or at least one, of k trials of the same case pass: means over the cases. */
    reliability() {
      const all = scored();
      const most = all.reduce((least, each) => Math.min(least, each.scored), all[0]?.scored ?? 0);
      const average = (chance: typeof passAtK) => (k: number) =>
        mean(all.map(({ scored: total, passed }) => chance({ total, passed, k }))) ?? 0;
      return { pass_at_k: forEachK(most, average(passAtK)), pass_hat_k: forEachK(most, average(passHatK)) };
    },
  };
}

/** The 95% interval of a difference of means by Welch, with the freedom of the smaller sample, which is cautious. */
function differenceOfMeans(first: readonly number[], second: readonly number[]): [number, number] {
  const [a, b] = [meanWithError(first), meanWithError(second)];
  const reach = studentQuantile(Math.min(first.length, second.length) - 1) * Math.hypot(a.error, b.error);
  const value = a.middle - b.middle;
  return [Math.max(-1, value - reach), Math.min(1, value + reach)];
}

/** Half a case that differs is added: cases that were all alike may still vary. */
function meanWithError(values: readonly number[]): { middle: number; error: number } {
  const middle = values.reduce((total, each) => total + each, 0) / values.length;
  const squares = values.reduce((total, each) => total + (each - middle) ** 2, 0.5);
  return { middle, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** A quarantine as it was when a run began. */
export function quarantineSummary(quarantine: Quarantine | null, startedAt: string): ScenarioSummary['quarantine'] {
  return quarantine && { ...quarantine, active: isInQuarantine(quarantine, startedAt) };
}

function newCounts() {
  return {
    total: 0,
    scored: 0,
    passed: 0,
    hardFailed: 0,
    unscored: 0,
    recorded: 0,
    scores: createExactSum(),
    /** How many have a score: a hard fail may have none. */
    rated: 0,
    firstFailure: Number.POSITIVE_INFINITY,
    ...NO_FAILURE,
  };
}

function countTrial(count: CaseCounts, trial: TrialResult): void {
  const { status, score, trial_number, error_message } = trial;
  count.total += 1;
  if (error_message === null) count.recorded += 1;
  if (status === 'unscored') count.unscored += 1;
  else {
    count.scored += 1;
    count.passed += status === 'passed' ? 1 : 0;
    count.hardFailed += status === 'hard_fail' ? 1 : 0;
    if (score !== null) {
      count.scores.add(score);
      count.rated += 1;
    }
  }
  // The first by number, not by time, so that it does not depend on the concurrency.
  if (status === 'passed' || trial_number >= count.firstFailure) return;
  count.firstFailure = trial_number;
  const [failure] = tellingFailures(trial.eval_results, status);
  const reason = failure ? namedFailure(failure) : error_message;
  count.reason = reason === null ? null : cutEnd(reason, LONGEST_REASON, '…');
  count.judge = failure && judgedScores(failure);
}

function judgedScores({ assertion_id, metadata, status }: EvalResult): CaseSummary['judge'] {
  const judgement = status === 'scored' ? readJudgement(metadata) : null;
  if (!judgement) return undefined;
  const criteria = judgement.per_criterion.map(({ name, score, all_scores }) => ({ name, score, all_scores }));
  return { assertion_id, criteria, ...(judgement.notes.length > 0 && { notes: judgement.notes }) };
}

function verdictCounts({ total, scored, passed, hardFailed, unscored }: CaseCounts) {
  return { total, scored, passed, hardFailed, unscored, failed: scored - passed - hardFailed, crashed: 0 };
}

function sum(counts: readonly CaseCounts[], of: 'passed' | 'scored'): number {
  return counts.reduce((total, each) => total + each[of], 0);
}

function passesOf({ passed, scored }: CaseCounts): { sum: number; of: number } {
  return { sum: passed, of: scored };
}

/** The mean of the cases' means, as comparisons compute it. If all have as many trials, the mean over the trials. */
function meanOverCases(
  cases: readonly CaseCounts[],
  valuesOf: (count: CaseCounts) => { sum: number; of: number },
): number | null {
  const values = cases.map(valuesOf).filter(({ of }) => of > 0);
  const [first] = values;
  if (!first) return null;
  if (values.every(({ of }) => of === first.of)) {
    return exactSum(values.map(({ sum }) => sum)) / (values.length * first.of);
  }
  return mean(values.map(({ sum, of }) => sum / of));
}

const EVERY_K_UP_TO = 1000;

/** For every k up to the number of trials. Above 1000 only for 2000, 5000, 10000 and so on, and for all trials. */
function forEachK(trials: number, chance: (k: number) => number): Record<string, number> {
  const ks = Array.from({ length: Math.min(trials, EVERY_K_UP_TO) }, (_, index) => index + 1);
  for (let power = EVERY_K_UP_TO; power <= trials; power *= 10) ks.push(2 * power, 5 * power, 10 * power);
  if (trials > EVERY_K_UP_TO) ks.push(trials);
  return Object.fromEntries(ks.filter((k) => k <= trials).map((k) => [String(k), chance(k)]));
}
