import { clusterIntervals, FEW_CLUSTERS } from '../../stats/intervals/cluster-intervals.ts';
import { wilsonInterval } from '../../stats/intervals/wilson-interval.ts';
import { mean } from '../../stats/mean.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import { type ComparableTrials, type ComparedRun, comparableTrials, type ScoredTrial } from './comparable-trials.ts';
import type { Conclusion, ScenarioComparison } from './comparison.ts';
import {
  type Evidence,
  evidenceByCase,
  evidenceByPair,
  evidenceByTrial,
  passRate,
  scoreOf,
  type TrialPair,
} from './comparison-evidence.ts';
import { type Design, growthFor, smallestDetectable } from './detectable-difference.ts';

/** Tests that share an error rate. */
export interface TestFamily {
  /** The p below which a difference is called one. */
  alpha: number;
  /** By how many tests the error rate is divided. */
  among: number;
}

export const ALPHA = 0.05;
/**
 * The mean score is a second question about the same trials. It has a fifth of the error rate, so that of equal agents
 * one of both is called different in about 5% at most: exact tests of the pass rate use less than their 5%.
 */
const SCORE_SHARE = 1 / 5;
/** What `trials_needed` is about. */
const CHANGE_TO_FIND = 0.2;
/** Trials that would hardly show a larger change than this are too few. */
const LARGE_CHANGE = 0.5;
/** A larger share of unscored trials is mentioned. */
const MANY_UNSCORED = 0.1;
/** Trials are compared in pairs if so many of them have a partner. */
const MOST_PAIRED = 0.8;

/** A scenario in two runs, and what its trials say about their difference: null if nothing can be compared. */
export type MeasuredScenario = ReturnType<typeof measureScenario>;

export function measureScenario(base: ComparedRun, next: ComparedRun, alpha = ALPHA) {
  const comparable = comparableTrials(base, next);
  return { base, next, comparable, evidence: evidenceOf(comparable, { base, next, alpha }) };
}

/**
 * How a scenario did in a new run against an earlier one, if it is compared alone. The same input gives the same numbers.
 * @internal Exported for tests and benchmarks.
 */
export function compareScenario(base: ComparedRun, next: ComparedRun): ScenarioComparison {
  const measured = measureScenario(base, next);
  const { p = null, score = null } = measured.evidence ?? {};
  return describeScenario(measured, { alpha: ALPHA, among: 1, pHolm: p, scoreHolm: score?.p ?? null });
}

/** The comparison of a scenario with its place among others: p values after the correction for all tests. */
export function describeScenario(
  { base, next, comparable, evidence }: MeasuredScenario,
  { alpha, among, pHolm, scoreHolm }: TestFamily & { pHolm: number | null; scoreHolm: number | null },
): ScenarioComparison {
  const { cases, onlyBase, onlyNext } = comparable;
  const compared = {
    base: sideOf(
      base,
      cases.map((each) => each.base),
    ),
    next: sideOf(
      next,
      cases.map((each) => each.next),
    ),
    cases: { compared: cases.length, only_base: onlyBase, only_next: onlyNext },
    difference: evidence?.difference ?? null,
    p: evidence?.p ?? null,
    p_holm: pHolm,
    method: evidence?.method ?? null,
    unit: evidence?.unit ?? null,
    lowest_p: evidence?.lowestP ?? null,
    score: evidence?.score
      ? { ...evidence.score, p_holm: scoreHolm === null ? null : Math.min(1, scoreHolm / SCORE_SHARE) }
      : null,
    smallest_detectable: evidence ? smallestDetectable(evidence.design, alpha / among) : null,
    ...(evidence && !areAllCopies(comparable)
      ? needed(evidence.design, cases.length, alpha / among)
      : { trials_needed: null, cases_needed: null }),
    notes: notesOn(comparable, base, next),
  };
  return { conclusion: conclusionOf(compared, { alpha, among }), ...compared };
}

/**
 * Many cases represent others like them, and each is one piece of evidence. Few do not: then the trials of these cases
 * are compared, in pairs if both runs had the same seed.
 */
function evidenceOf(
  { cases, hasCopies }: ComparableTrials,
  { base, next, alpha }: { base: ComparedRun; next: ComparedRun; alpha: number },
): Evidence | null {
  if (cases.length === 0) return null;
  if (cases.length >= FEW_CLUSTERS) return evidenceByCase(cases, alpha);
  const pairs = base.seed === null || base.seed !== next.seed || hasCopies ? [] : cases.flatMap(pairsOf);
  const most = (side: 'base' | 'next') => cases.reduce((sum, each) => sum + each[side].length, 0);
  const arePaired = pairs.length > 0 && pairs.length >= MOST_PAIRED * Math.max(most('base'), most('next'));
  return arePaired ? evidenceByPair(pairs, alpha) : evidenceByTrial(cases, alpha);
}

function pairsOf({ name, base, next }: ComparableTrials['cases'][number]): TrialPair[] {
  const byNumber = new Map(next.map((trial) => [trial.trial, trial]));
  return base.flatMap((trial) => {
    const partner = byNumber.get(trial.trial);
    return partner ? [{ case: name, base: trial, next: partner }] : [];
  });
}

function sideOf(run: ComparedRun, cases: readonly (readonly ScoredTrial[])[]): ScenarioComparison['base'] {
  const names = new Set(cases.map(([first]) => first?.case));
  const scored = run.trials.filter((trial) => trial.passed !== null && names.has(trial.case));
  const scores = cases.map(scoreOf).filter((score) => score !== null);
  const [only] = cases;
  const rates = cases.map(passRate);
  const intervals = clusterIntervals({
    clusters: rates,
    metrics: (kept) => [kept.reduce((sum, rate) => sum + rate, 0) / kept.length],
    random: seededRandom(0, 'compare', 'groups'),
  });
  return {
    trials_scored: scored.length,
    trials_passed: scored.filter(({ passed }) => passed).length,
    trials_unscored: run.trials.filter(({ passed }) => passed === null).length,
    pass_rate: mean(rates),
    pass_rate_ci:
      intervals?.[0] ??
      (only ? wilsonInterval({ passed: only.filter(({ passed }) => passed).length, total: only.length }) : null),
    score_avg: scores.length < cases.length ? null : mean(scores),
  };
}

function needed(
  design: Design,
  cases: number,
  alpha: number,
): Pick<ScenarioComparison, 'trials_needed' | 'cases_needed'> {
  const growth = growthFor(design, CHANGE_TO_FIND, alpha);
  if (growth <= 1) return { trials_needed: null, cases_needed: null };
  if (!design.paired) {
    // As if both runs had as many trials.
    const trials = Math.ceil(growthFor({ ...design, base: 1, next: 1 }, CHANGE_TO_FIND, alpha));
    return { trials_needed: trials, cases_needed: null };
  }
  const units = Math.ceil(design.units * growth);
  const isByCase = cases === design.units;
  return { trials_needed: Math.ceil(units * design.trialsEach), cases_needed: isByCase ? units : null };
}

/** Whether more trials of these cases would be copies of those that there are. */
function areAllCopies({ cases, hasCopies }: Pick<ComparableTrials, 'cases' | 'hasCopies'>): boolean {
  return hasCopies && cases.length < FEW_CLUSTERS && cases.every(({ base, next }) => base.length + next.length === 2);
}

export function conclusionOf(
  compared: Pick<ScenarioComparison, 'difference' | 'p_holm' | 'lowest_p' | 'smallest_detectable'>,
  { alpha, among }: TestFamily,
): Conclusion {
  const { difference, p_holm, lowest_p, smallest_detectable } = compared;
  if (!difference || p_holm === null || lowest_p === null) return 'not_comparable';
  if (p_holm < alpha) return difference.value < 0 ? 'worse' : 'better';
  const couldShow = lowest_p * among < alpha && (smallest_detectable ?? 1) <= LARGE_CHANGE;
  return couldShow ? 'no_evidence' : 'too_few_trials';
}

function notesOn(
  { cases, hasCopies, onlyBase, onlyNext }: ComparableTrials,
  base: ComparedRun,
  next: ComparedRun,
): string[] {
  const notes: string[] = [];
  for (const [run, which] of [
    [base, 'base'],
    [next, 'new run'],
  ] as const) {
    const unscored = run.trials.filter(({ passed }) => passed === null).length;
    if (unscored > MANY_UNSCORED * run.trials.length) {
      notes.push(`${unscored} of ${run.trials.length} trials of the ${which} could not be scored and are left out.`);
    }
  }
  if (hasCopies && cases.length < FEW_CLUSTERS) {
    const advice = areAllCopies({ cases, hasCopies })
      ? ` More of them would show nothing new; more cases would: ${FEW_CLUSTERS} or more rows of \`data\`.`
      : '';
    notes.push(`Both runs gave one answer in all trials of a case: they count as one trial of each run.${advice}`);
  }
  if (cases.length > 1 && cases.length < FEW_CLUSTERS) {
    notes.push(`Fewer than ${FEW_CLUSTERS} cases: this is about these cases, and not about others like them.`);
  }
  if (onlyBase.length > 0) notes.push(`${casesWord(onlyBase.length)} only in the base.`);
  if (onlyNext.length > 0) notes.push(`${casesWord(onlyNext.length)} only in the new run.`);
  return notes;
}

function casesWord(count: number): string {
  return count === 1 ? '1 case was scored' : `${count} cases were scored`;
}
