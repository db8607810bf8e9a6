import type { RunView, ScenarioView } from '../../../../src/app/view/run-view.ts';
import type { TrialOutcome } from '../../../../src/run/run-record.ts';

export type GridRow = { kind: 'scenario'; scenario: ScenarioView } | CaseRow;

/** The trials of one case, or of a scenario without data. */
export interface CaseRow {
  kind: 'case';
  scenarioIndex: number;
  caseIndex: number;
  name: string | null;
  /** By number; null for those that have not run. */
  trials: (TrialOutcome | null)[];
  assertions: { id: string; mean: number | null }[];
}

export function gridRows(view: RunView, outcomes: readonly TrialOutcome[]): GridRow[] {
  const byCase = Map.groupBy(outcomes, ({ scenario_index, case_index }) => `${scenario_index}/${case_index}`);
  return view.scenarios.flatMap((scenario, scenarioIndex): GridRow[] => {
    const cases =
      scenario.cases.length > 0
        ? scenario.cases
        : [{ case_index: 0, name: null, trials: scenario.trials_planned, skip: null }];
    return [
      { kind: 'scenario', scenario },
      ...cases.map(({ case_index, name, trials }): CaseRow => {
        const own = byCase.get(`${scenarioIndex}/${case_index}`) ?? [];
        const byNumber = new Map(own.map((outcome) => [outcome.trial_number, outcome]));
        return {
          ...{ kind: 'case', scenarioIndex, caseIndex: case_index, name },
          trials: Array.from({ length: trials }, (_, index) => byNumber.get(index + 1) ?? null),
          assertions: scenario.assertions.map(({ id }) => ({ id, mean: meanScore(own, id) })),
        };
      }),
    ];
  });
}

function meanScore(outcomes: readonly TrialOutcome[], id: string): number | null {
  const scores = outcomes.flatMap(({ assertions }) => assertions.find((each) => each.id === id)?.score ?? []);
  return scores.length === 0 ? null : scores.reduce((sum, score) => sum + score, 0) / scores.length;
}
