import type { RunView, ScenarioView } from '../../../../src/app/view/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';

export type GridRow = ScenarioRow | CaseRow;

export interface ScenarioRow {
  kind: 'scenario';
  scenario: ScenarioView;
  assertions: AssertionMean[];
}

/** The trials of one case, or of a scenario without data. */
export interface CaseRow {
  kind: 'case';
  scenarioIndex: number;
  caseIndex: number;
  name: string | null;
  /** Why it was not run; null if it was. */
  skip: string | null;
  /** By number; null for those that have not run. */
  trials: (TrialOutcome | null)[];
  assertions: AssertionMean[];
}

export interface AssertionMean {
  id: string;
  /** Null if it was never evaluated. */
  mean: number | null;
}

export type CaseOrder = 'file' | 'worst';

export function gridRows(view: RunView, outcomes: readonly TrialOutcome[], order: CaseOrder): GridRow[] {
  const byScenario = Map.groupBy(outcomes, ({ scenario_index }) => scenario_index);
  return view.scenarios.flatMap((scenario, scenarioIndex): GridRow[] => {
    const own = byScenario.get(scenarioIndex) ?? [];
    const rows = caseRows(scenario, scenarioIndex, own);
    return [
      { kind: 'scenario', scenario, assertions: means(scenario, own) },
      ...(order === 'file' ? rows : rows.toSorted((a, b) => passedShare(a) - passedShare(b))),
    ];
  });
}

function caseRows(scenario: ScenarioView, scenarioIndex: number, outcomes: readonly TrialOutcome[]): CaseRow[] {
  const byCase = Map.groupBy(outcomes, ({ case_index }) => case_index);
  const whole = { case_index: 0, name: null, trials: scenario.trials_planned, skip: null };
  const cases = scenario.cases.length > 0 ? scenario.cases : [whole];
  return cases.map(({ case_index, name, trials, skip }): CaseRow => {
    const own = byCase.get(case_index) ?? [];
    const byNumber = new Map(own.map((outcome) => [outcome.trial_number, outcome]));
    return {
      ...{ kind: 'case', scenarioIndex, caseIndex: case_index, name, skip },
      trials: Array.from({ length: trials }, (_, index) => byNumber.get(index + 1) ?? null),
      assertions: means(scenario, own),
    };
  });
}

function means(scenario: ScenarioView, outcomes: readonly TrialOutcome[]): AssertionMean[] {
  const scores = new Map<string, number[]>();
  for (const { assertions } of outcomes) {
    for (const { id, score } of assertions) {
      if (score === null) continue;
      const known = scores.get(id);
      if (known) known.push(score);
      else scores.set(id, [score]);
    }
  }
  return scenario.assertions.map(({ id }) => {
    const known = scores.get(id) ?? [];
    return { id, mean: known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length };
  });
}

/** Rows without a scored trial come last. */
function passedShare({ trials }: CaseRow): number {
  const scored = trials.filter((trial) => trial !== null && trial.status !== null && trial.status !== 'unscored');
  if (scored.length === 0) return 2;
  return scored.filter((trial) => trial?.status === 'passed').length / scored.length;
}
