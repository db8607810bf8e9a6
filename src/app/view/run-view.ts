import { assertionIds } from '../../evaluators/assertion-ids.ts';
import { runOverall } from '../../run/overall.ts';
import { plannedCases, plannedTrials } from '../../run/planned-cases.ts';
import type { RunOverall, ScenarioSummary } from '../../run/run-document.ts';
import type { RunRecord, RunScenario, TrialOutcome } from '../../run/run-record.ts';
import type { Store } from '../../store/store.ts';
import { findRun } from '../open-project.ts';

/** A run, without its trials. */
export interface RunView extends Omit<RunRecord, 'scenarios'> {
  /** A process is at work on it. */
  is_running: boolean;
  overall: RunOverall;
  scenarios: ScenarioView[];
}

export interface ScenarioView extends Omit<RunScenario, 'scenario' | 'summary'> {
  trials_planned: number;
  /** The cases that belong to the run, in order; empty without data. */
  cases: { case_index: number; name: string; trials: number; skip: string | null }[];
  /** In the order of the file. */
  assertions: { id: string; type: string; weight: number; required: boolean }[];
  /** Null until the run ends. */
  summary: ScenarioSummary | null;
}

export async function runView(store: Store, idOrPrefix: string): Promise<RunView> {
  const { scenarios, ...run } = await findRun(store, idOrPrefix);
  const holder = await store.holderOf({ kind: 'run', id: run.run_id });
  const summaries = scenarios.flatMap(({ summary }) => (summary === null ? [] : [summary]));
  return {
    ...run,
    is_running: holder !== null,
    overall: runOverall(summaries, run.options.seed),
    scenarios: scenarios.map((each, index) => scenarioView(each, run, index)),
  };
}

function scenarioView(
  { scenario, ...listed }: RunScenario,
  { options }: Pick<RunRecord, 'options'>,
  position: number,
): ScenarioView {
  const cases = plannedCases(scenario, { options, chosen: options.cases?.[position] ?? null });
  const ids = assertionIds(scenario.assertions);
  return {
    ...listed,
    trials_planned: plannedTrials(cases),
    cases: cases.flatMap(({ index, name, trials, skip }) =>
      name === null ? [] : [{ case_index: index, name, trials, skip }],
    ),
    assertions: scenario.assertions.map(({ type, weight, required }, index) => ({
      ...{ id: ids[index] ?? type, type, weight, required },
    })),
  };
}

export interface OutcomePage {
  outcomes: TrialOutcome[];
  /** Where the next page begins; null after the last one. */
  next_offset: number | null;
}

export async function outcomePage(
  store: Store,
  runId: string,
  page: { scenarioIndex?: number | undefined; offset: number; limit: number },
): Promise<OutcomePage> {
  const outcomes = await store.trialOutcomes(runId, page);
  return { outcomes, next_offset: outcomes.length < page.limit ? null : page.offset + page.limit };
}
