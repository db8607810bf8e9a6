import type { ComparedScenario, RunComparison } from '../../run/compare/compare-runs.ts';
import type { Conclusion } from '../../run/compare/comparison.ts';
import { formatP, formatPercent, formatPoints, formatPointsInterval } from '../../stats/format.ts';
import { scenarioLabels, togetherLabel } from './compare-words.ts';

/** A row of the table of a comparison: a scenario, or all of them together. */
export interface ComparisonRow {
  label: string;
  conclusion: Conclusion;
  base: string;
  next: string;
  change: string;
  interval: string;
  p: string;
}

/** The rows of the scenarios, and the one of all together if there is one. */
export function comparisonRows({ scenarios, together }: RunComparison): {
  scenarios: ComparisonRow[];
  together: ComparisonRow[];
} {
  const labelOf = scenarioLabels(scenarios);
  return {
    scenarios: scenarios.map((each) =>
      rowOf(each, { label: labelOf(each), base: each.base.pass_rate, next: each.next.pass_rate }),
    ),
    together: together
      ? [
          rowOf(together, {
            label: togetherLabel(together),
            base: together.base_pass_rate,
            next: together.next_pass_rate,
          }),
        ]
      : [],
  };
}

function rowOf(
  { conclusion, difference, p_holm }: Pick<ComparedScenario, 'conclusion' | 'difference' | 'p_holm'>,
  { label, base, next }: { label: string; base: number | null; next: number | null },
): ComparisonRow {
  return {
    label,
    conclusion,
    base: formatPercent(base),
    next: formatPercent(next),
    change: formatPoints(difference?.value ?? null),
    interval: formatPointsInterval(difference?.interval ?? null),
    p: formatP(p_holm),
  };
}
