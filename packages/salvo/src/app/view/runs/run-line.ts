import { byCandidate, isMatrix } from '../../../run/record/candidate-labels.ts';
import { costOfAgents, costOfJudges, costOfUsers } from '../../../run/record/run-document.ts';
import { runRates } from '../../../run/verdict/overall.ts';
import { type Cost, sumCosts } from '../../../stats/cost.ts';
import { mean } from '../../../stats/mean.ts';
import type { RunFigures } from '../../../store/store.ts';
import type { ScenarioFigures, SummaryFigures } from '../../../store/stored-documents.ts';

/** A run in the list of runs. */
export type RunLine = Omit<ReturnType<typeof runLine>, 'cost' | 'judge_cost' | 'user_cost'> & {
  /** Null until it ends. */
  cost: Cost | null;
  judge_cost: Cost | null;
  user_cost: Cost | null;
  /** The pass rates of runs of the same scenarios, adapters and models up to this one, the oldest first. */
  trend: number[];
};

/** Without its trend, for which other runs are needed. */
export function runLine(run: RunFigures) {
  const { run_id, created_at, finished_at, status, verdict, reeval_of } = run;
  const summaries = run.scenarios.flatMap(({ summary, ...entry }) => (summary ? [{ ...entry, ...summary }] : []));
  return {
    ...{ run_id, created_at, status, verdict, reeval_of },
    scenarios: run.scenarios.map(({ name, file, model, adapter, summary }) => ({
      ...{ name, file, model, adapter, verdict: summary?.verdict ?? null },
    })),
    ...rates(summaries, run.seed),
    trials: summaries.reduce((sum, { trials_total }) => sum + trials_total, 0),
    ...runCosts(summaries),
    duration_seconds: finished_at === null ? null : (Date.parse(finished_at) - Date.parse(created_at)) / 1000,
  };
}

/** What a run cost. */
export function runCosts(summaries: readonly SummaryFigures[]): { cost: Cost; judge_cost: Cost; user_cost: Cost } {
  return {
    cost: sumCosts(summaries.map(costOfAgents)),
    judge_cost: sumCosts(summaries.map(costOfJudges)),
    user_cost: sumCosts(summaries.map(costOfUsers)),
  };
}

type EndedScenario = Omit<ScenarioFigures, 'summary'> & SummaryFigures;

/** Null if nothing was scored. If several models are compared, only the pass rate of each is known. */
function rates(summaries: readonly EndedScenario[], seed: number | null) {
  if (isMatrix(summaries)) {
    const models = Array.from(byCandidate(summaries), ([label, own]) => ({
      label,
      pass_rate: mean(own.flatMap(({ pass_rate }) => (pass_rate === null ? [] : [pass_rate]))),
    }));
    return { pass_rate: null, pass_rate_ci: null, score: null, models };
  }
  const { pass_rate, pass_rate_ci, score_avg: score } = runRates(summaries, seed);
  const [only, ...others] = summaries;
  // Of one scenario the interval over its trials is known; of several, the one over scenarios.
  return {
    pass_rate,
    pass_rate_ci: only && others.length === 0 ? only.pass_rate_ci : pass_rate_ci,
    score,
    models: null,
  };
}
