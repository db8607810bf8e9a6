import type { RunView, ScenarioView } from '../../../../src/app/view/runs/run-view.ts';
import type { TrialStatus } from '../../../../src/evaluators/eval-result.ts';
import type { TrialOutcome } from '../../../../src/run/record/run-record.ts';

export type GridRow = ScenarioRow | CaseRow;

/** A scenario with one model. */
export interface ScenarioRow {
  kind: 'scenario';
  key: string;
  scenario: ScenarioView;
  /** The row before it is of the same scenario, with another model. */
  isRepeated: boolean;
  assertions: AssertionMean[];
}

/** The trials of one case, or of a scenario without data. Many trials are several rows. */
export interface CaseRow {
  kind: 'case';
  key: string;
  scenarioIndex: number;
  caseIndex: number;
  /** Null without data. */
  name: string | null;
  /** Why it was not run; null if it was. */
  skip: string | null;
  /** Why it does not count; null if it does. */
  quarantine: string | null;
  trials: GridTrial[];
  assertions: AssertionMean[];
}

export interface GridTrial {
  number: number;
  /** Null if it has not run. */
  outcome: TrialOutcome | null;
}

export interface AssertionMean {
  id: string;
  /** Null if it was never evaluated. */
  mean: number | null;
}

type CaseOrder = 'file' | 'worst';

export interface GridQuery {
  order: CaseOrder;
  /** Only cases with a trial that ended so; all if there is none. */
  statuses: ReadonlySet<TrialStatus>;
}

/** More in a row would be too many elements at once. */
const MOST_PER_ROW = 100;

export function gridRows(view: RunView, outcomes: readonly TrialOutcome[], { order, statuses }: GridQuery): GridRow[] {
  const byScenario = Map.groupBy(outcomes, ({ scenario_index }) => scenario_index);
  // Models of the same scenario are next to each other.
  const groups = Map.groupBy(view.scenarios.entries(), ([, { key }]) => key);
  return [...groups.values()].flatMap((entries) =>
    entries.flatMap(([index, scenario], position): GridRow[] => {
      const own = byScenario.get(index) ?? [];
      const rows = caseRows(scenario, index, { own, isShard: view.options.shard !== undefined });
      const chosen = statuses.size === 0 ? rows : rows.filter((row) => hasStatus(row, statuses));
      if (statuses.size > 0 && chosen.length === 0) return [];
      const ordered = order === 'file' ? chosen : worstFirst(chosen);
      return [
        {
          ...{ kind: 'scenario', key: `${index}`, scenario },
          ...{ isRepeated: position > 0, assertions: means(scenario, own) },
        },
        ...ordered.flatMap((row) => inParts(row, scenario)),
      ];
    }),
  );
}

function caseRows(
  scenario: ScenarioView,
  scenarioIndex: number,
  { own, isShard }: { own: readonly TrialOutcome[]; isShard: boolean },
): CaseRow[] {
  const byCase = Map.groupBy(own, ({ case_index }) => case_index);
  const whole = { case_index: 0, name: null, trials: scenario.trials_planned, skip: null, quarantine: null };
  const cases = scenario.cases.length > 0 ? scenario.cases : [whole];
  return cases.map(({ case_index, trials, ...listed }): CaseRow => {
    const outcomes = byCase.get(case_index) ?? [];
    const byNumber = new Map(outcomes.map((outcome) => [outcome.trial_number, outcome]));
    // A shard has every n-th trial: how many there are says nothing about their numbers.
    const numbers = isShard ? [...byNumber.keys()] : Array.from({ length: trials }, (_, index) => index + 1);
    return {
      ...{ kind: 'case', key: `${scenarioIndex}/${case_index}`, scenarioIndex, caseIndex: case_index, ...listed },
      trials: numbers.map((number) => ({ number, outcome: byNumber.get(number) ?? null })),
      assertions: means(scenario, outcomes),
    };
  });
}

function inParts(row: CaseRow, scenario: ScenarioView): CaseRow[] {
  if (row.trials.length <= MOST_PER_ROW) return [row];
  return Array.from({ length: Math.ceil(row.trials.length / MOST_PER_ROW) }, (_, part) => {
    const trials = row.trials.slice(part * MOST_PER_ROW, (part + 1) * MOST_PER_ROW);
    const outcomes = trials.flatMap(({ outcome }) => outcome ?? []);
    return { ...row, key: `${row.key}+${part}`, trials, assertions: means(scenario, outcomes) };
  });
}

function hasStatus({ trials }: CaseRow, statuses: ReadonlySet<TrialStatus>): boolean {
  return trials.some(({ outcome }) => outcome?.status && statuses.has(outcome.status));
}

function means(scenario: ScenarioView, outcomes: readonly TrialOutcome[]): AssertionMean[] {
  const sums = new Map(scenario.assertions.map(({ id }) => [id, { sum: 0, count: 0 }]));
  for (const { assertions } of outcomes) {
    for (const { id, score } of assertions) {
      const known = sums.get(id);
      if (score === null || !known) continue;
      known.sum += score;
      known.count += 1;
    }
  }
  return Array.from(sums, ([id, { sum, count }]) => ({ id, mean: count === 0 ? null : sum / count }));
}

function worstFirst(rows: readonly CaseRow[]): CaseRow[] {
  return rows
    .map((row) => ({ row, passed: passedShare(row), score: meanScore(row) }))
    .sort((a, b) => a.passed - b.passed || a.score - b.score)
    .map(({ row }) => row);
}

/** Rows without a scored trial come last. */
function passedShare({ trials }: CaseRow): number {
  const scored = trials.flatMap(({ outcome }) => (outcome?.status && outcome.status !== 'unscored' ? [outcome] : []));
  return scored.length === 0 ? 2 : scored.filter(({ status }) => status === 'passed').length / scored.length;
}

function meanScore({ trials }: CaseRow): number {
  const scores = trials.flatMap(({ outcome }) => outcome?.score ?? []);
  return scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
}
