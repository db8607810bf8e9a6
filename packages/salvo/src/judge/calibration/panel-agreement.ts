import { clusterIntervals, DIFFERENCE } from '../../stats/intervals/cluster-intervals.ts';
import { seededRandom } from '../../stats/seeded-random.ts';
import type { PanelAgreement } from './calibration-record.ts';
import type { Comparison } from './comparison.ts';

/** The verdict of one judge of a panel on one item; null when it had none. */
export interface PanelVerdict {
  judge: string;
  passed: boolean | null;
}

/**
 * How often each judge of a panel agrees with people, and their majority. Only items count that all judges gave a
 * verdict on, so that all are compared on the same items. Null without a panel, or without such items.
 */
export function panelAgreement(
  items: readonly { comparison: Comparison | null; panel: readonly PanelVerdict[] }[],
): PanelAgreement | null {
  const names = items.find(({ panel }) => panel.length > 1)?.panel.map(({ judge }) => judge) ?? [];
  const rows = items.flatMap(({ comparison, panel }) => {
    if (!comparison || comparison.human.passed === null) return [];
    const human = comparison.human.passed;
    const right = names.map((name, index) => {
      const own = panel[index]?.judge === name ? panel[index] : panel.find(({ judge }) => judge === name);
      return own === undefined || own.passed === null ? null : own.passed === human;
    });
    return right.includes(null)
      ? []
      : [{ right: right.map((each) => each === true), majority: comparison.judge.passed === human }];
  });
  if (names.length < 2 || rows.length === 0) return null;
  const share = (kept: readonly (typeof rows)[number][], isRight: (row: (typeof rows)[number]) => boolean): number =>
    kept.filter(isRight).length / kept.length;
  const judges = names.map((judge_model, index) => ({
    judge_model,
    agreement: share(rows, ({ right }) => right[index] === true),
  }));
  const best = judges.reduce(
    (top, { agreement }, index) => (agreement > (judges[top]?.agreement ?? 0) ? index : top),
    0,
  );
  const gain = (kept: readonly (typeof rows)[number][]): number =>
    share(kept, ({ right }) => right[best] === true) - share(kept, ({ majority }) => majority);
  const intervals = clusterIntervals({
    clusters: rows,
    metrics: (kept) => [gain(kept)],
    ranges: [DIFFERENCE],
    random: seededRandom('panel'),
  });
  return {
    items: rows.length,
    judges,
    majority: share(rows, ({ majority }) => majority),
    best_minus_majority: gain(rows),
    best_minus_majority_ci: intervals?.[0] ?? null,
  };
}
