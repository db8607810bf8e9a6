import { type ScenarioCases, scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { canonicalJson } from '../../text/json/canonical-json.ts';

/** The position, among the current cases, of a case of an earlier version of the scenario; -1 if it is gone. */
export type CaseNow = (caseIndex: number) => number;

/**
 * Pairs the cases of two versions of a scenario. A row with a name is found by it. One without is its number, as long as
 * there are as many rows as before; otherwise rows were added or removed, and only an equal row is the same case.
 */
export function pairedCases(then: Scenario, now: Scenario): CaseNow {
  const [before, current] = [scenarioCases(then), scenarioCases(now)];
  if (then.data === undefined || now.data === undefined) {
    return () => (then.data === undefined && now.data === undefined ? 0 : -1);
  }
  const byContent = new Map(now.data.map((row, index) => [canonicalJson(row), index]));
  return (caseIndex) => {
    const row = before.rowOf(caseIndex);
    if (row === null) return -1;
    if (hasName(before, caseIndex)) return current.indexOf(before.fieldsOf(caseIndex)?.name ?? null);
    if (before.count === current.count) return hasName(current, caseIndex) ? -1 : caseIndex;
    return byContent.get(canonicalJson(row)) ?? -1;
  };
}

function hasName(cases: ScenarioCases, index: number): boolean {
  return cases.fieldsOf(index)?.name !== String(index + 1);
}
