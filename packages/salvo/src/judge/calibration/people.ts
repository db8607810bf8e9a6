import { krippendorffAlpha } from '../../stats/agreement/krippendorff-alpha.ts';
import { mean } from '../../stats/mean.ts';
import type { HumanLabel } from './human-label.ts';

/** What people say of one item together. */
export interface PeoplesVerdict {
  /** Of more than half of them; null if there is no such majority, or nobody gave a verdict on the whole. */
  passed: boolean | null;
  /** The mean of their scores by criterion; pass counts as 1 and fail as 0. */
  labels: Record<string, number>;
}

export function peoplesVerdict(labels: readonly HumanLabel[]): PeoplesVerdict {
  const whole = labels.filter(({ criterion }) => criterion === null);
  const passed = whole.filter((each) => each.passed).length;
  const byCriterion = Map.groupBy(
    labels.filter(({ criterion }) => criterion !== null),
    ({ criterion }) => criterion ?? '',
  );
  return {
    passed: passed * 2 === whole.length ? null : passed * 2 > whole.length,
    labels: Object.fromEntries(
      [...byCriterion].map(([name, own]) => [name, mean(own.map(({ score, passed }) => score ?? Number(passed))) ?? 0]),
    ),
  };
}

/** How far people agree with each other. */
export interface PeoplesAgreement {
  people: string[];
  /** Verdicts that several people gave on the same thing, and how many of these are unanimous. */
  shared: number;
  unanimous: number;
  /** Krippendorff's alpha; null when it is undefined. */
  alpha: number | null;
}

export function peoplesAgreement(labels: readonly HumanLabel[]): PeoplesAgreement {
  const people = [...new Set(labels.map(({ labelled_by }) => labelled_by))].toSorted();
  const things = Map.groupBy(labels, ({ trace_id, assertion_id, criterion }) =>
    JSON.stringify([trace_id, assertion_id, criterion]),
  );
  const shared = [...things.values()].filter(({ length }) => length > 1);
  return {
    people,
    shared: shared.length,
    unanimous: shared.filter((own) => own.every(({ passed }) => passed === own[0]?.passed)).length,
    alpha: krippendorffAlpha(
      shared.map((own) => own.map(({ passed }) => Number(passed))),
      { level: 'nominal' },
    ),
  };
}
