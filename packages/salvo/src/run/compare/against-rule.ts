import { THRESHOLD_TOLERANCE } from '../../stats/mean.ts';
import { normalQuantile, Z_95 } from '../../stats/normal.ts';
import type { ScenarioComparison } from './comparison.ts';

/** What a comparison with a baseline answers to the question whether something got worse. */
export type AgainstAnswer = 'worse' | 'not_worse' | 'undecided' | 'not_comparable';

/** The drop of the pass rate that must be ruled out, if the user named none. */
export const DEFAULT_MARGIN = 0.1;
/** How often a difference that is there must be shown. */
const POWER = 0.8;
/** The chance that a rule may have to be red by luck. */
export const LUCK = 0.05;

/**
 * *Worse*: the test says so, and the pass rate fell by more than what is tolerated. *Not worse*: the interval rules out a
 * drop by the margin or more. That a test found nothing does not show this, so everything else is *undecided*.
 */
export function answerOf(
  { conclusion, difference }: Pick<ScenarioComparison, 'conclusion' | 'difference'>,
  /** What the user tolerates (`--max-drop`); null if nothing was said. */
  maxDrop: number | null,
): AgainstAnswer {
  if (conclusion === 'not_comparable' || !difference) return 'not_comparable';
  const isTolerated = maxDrop !== null && !fellBy(-difference.value, maxDrop);
  if (conclusion === 'worse' && !isTolerated) return 'worse';
  const margin = maxDrop ?? DEFAULT_MARGIN;
  return difference.interval && difference.interval[0] > -margin ? 'not_worse' : 'undecided';
}

/** The trials of a scenario in one run. */
interface ObservedSide {
  passed: number;
  total: number;
  /** Where cases have different numbers of trials and count the same; else it is the share that passed. */
  rate?: number | null | undefined;
}

export interface ObservedScenario {
  base: ObservedSide;
  next: ObservedSide;
}

/**
 * Judges scenarios that no test could decide by what was observed, all of them together. A scenario that passes in no
 * trial counts only if luck would hardly do this to any of so many. The rates are means, each scenario with the same weight;
 * null without a scenario.
 */
export function observedRule({ scenarios, margin }: { scenarios: readonly ObservedScenario[]; margin: number }) {
  const scored = scenarios.filter(({ base, next }) => base.total > 0 && next.total > 0);
  if (scored.length === 0) return { red: false, why: null, base_rate: null, next_rate: null, died: [] };
  const rateOver = (side: 'base' | 'next') => scored.reduce((sum, each) => sum + rateOf(each[side]), 0) / scored.length;
  const [base, next] = [rateOver('base'), rateOver('next')];
  // The positions of the scenarios that make the run red because none of their trials passed.
  const died = scenarios.flatMap((each, index) => {
    const isDead = each.next.total > 0 && each.next.passed === 0 && each.base.total > 0 && rateOf(each.base) >= 0.5;
    return isDead && scored.length * (1 - base) ** each.next.total < LUCK ? [index] : [];
  });
  // The mean rate fell by more than the margin; or a scenario that used to pass now passed in no trial.
  const ofDead = died.length > 0 ? 'one_died' : null;
  const why: 'mean_fell' | 'one_died' | null = fellBy(base - next, margin) ? 'mean_fell' : ofDead;
  return { red: why !== null, why, base_rate: base, next_rate: next, died };
}

/**
 * About how many trials each run needs in all, so that an agent that did not change is shown to be not worse in four of
 * five comparisons: the interval reaches as far as now, and becomes narrower with the root of the trials. Null without an
 * interval.
 */
export function trialsToDecide(
  { difference, trials }: { difference: ScenarioComparison['difference']; trials: number },
  margin: number,
): number | null {
  const low = difference?.interval?.[0];
  if (!difference || low === undefined || margin <= 0) return null;
  const reach = (difference.value - low) * (1 + normalQuantile(1 - POWER) / Z_95);
  return Math.ceil(trials * Math.max(1, (reach / margin) ** 2));
}

function rateOf({ passed, total, rate }: ObservedSide): number {
  return rate ?? passed / total;
}

/** Whether a drop is more than so much: 0.8 - 0.7 is not more than 0.1. */
function fellBy(drop: number, margin: number): boolean {
  return drop > margin + THRESHOLD_TOLERANCE;
}
