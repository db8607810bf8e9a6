import { z } from 'zod';
import { type BaselineCase, type BaselineScenario, outcomesOf, trialsOfCase } from './baseline.ts';
import type { ScenarioComparison } from './comparison.ts';

/** A scenario that two runs have. */
export interface ScenarioPair {
  base: BaselineScenario;
  next: BaselineScenario;
}

export const flippedSchema = z.object({ to_failed: z.array(z.string()), to_passed: z.array(z.string()) });

/** The trials of both, under keys that are the same for the same case. */
export function casesOf({ base, next }: ScenarioPair) {
  const byRow = hasRows(base) && hasRows(next);
  const keyed = ({ cases }: BaselineScenario) => {
    const taken = new Map<string, number>();
    return cases.map((each) => {
      const key = each.case === null ? null : caseKey(each, byRow);
      if (key === null) return { key, each };
      const before = taken.get(key) ?? 0;
      taken.set(key, before + 1);
      return { key: before === 0 ? key : `${key} ${before + 1}`, each };
    });
  };
  const [ofBase, ofNext] = [keyed(base), keyed(next)];
  return {
    keyed: { base: ofBase, next: ofNext },
    cases: {
      base: ofBase.flatMap(({ key, each }) => trialsOfCase(each, key)),
      next: ofNext.flatMap(({ key, each }) => trialsOfCase(each, key)),
    },
  };
}

function hasRows({ cases }: BaselineScenario): boolean {
  return cases.every(({ case: name, row }) => name === null || row !== null);
}

/**
 * A row without a name is called by its number, which changes when rows are added above it: such a row is known by its
 * content. A row with a name whose content changed is another case.
 */
function caseKey({ case: name, row }: BaselineCase, byRow: boolean): string {
  if (!byRow) return String(name);
  return /^\d+$/.test(String(name)) ? `row ${row}` : `${name} (${row})`;
}

/** A row whose content changed is a case of one run only, in both runs: that is one change and not two. */
export function changedCases({ cases }: ScenarioComparison, nameOf: (key: string) => string) {
  const before = new Set(cases.only_base.map(nameOf));
  const now = new Set(cases.only_next.map(nameOf));
  const changed = [...now].filter((name) => before.has(name) && !/^\d+$/.test(name));
  const isChanged = new Set(changed);
  const list = changed.slice(0, MOST_NAMED).join(', ') + (changed.length > MOST_NAMED ? ', ...' : '');
  return {
    names: changed,
    sentences:
      changed.length === 0
        ? []
        : [
            `${changed.length === 1 ? '1 row differs and is' : `${changed.length} rows differ and are`} not compared: ${list}`,
          ],
    cases: {
      compared: cases.compared,
      only_base: [...before].filter((name) => !isChanged.has(name)),
      only_next: [...now].filter((name) => !isChanged.has(name)),
    },
  };
}

const MOST_NAMED = 5;

export function flippedCases(
  pairs: readonly { base: BaselineCase; next: BaselineCase }[],
): z.infer<typeof flippedSchema> {
  const rated = pairs.flatMap(({ base, next }) => {
    const [before, now] = [rateOf(base), rateOf(next)];
    return next.case === null || before === null || now === null ? [] : [{ name: next.case, before, now }];
  });
  const named = (isFlipped: (each: (typeof rated)[number]) => boolean) =>
    rated
      .filter(isFlipped)
      .toSorted((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before))
      .map(({ name }) => name);
  return {
    to_failed: named(({ before, now }) => before > 0.5 && now <= 0.5),
    to_passed: named(({ before, now }) => before <= 0.5 && now > 0.5),
  };
}

function rateOf(each: BaselineCase): number | null {
  const { passed, scored } = outcomesOf(each);
  return scored === 0 ? null : passed / scored;
}
