import { passChance } from '../../judge/calibration/doubt.ts';
import type { HumanLabel } from '../../judge/calibration/human-label.ts';
import { type LabelledTrial, type OwnLabelsRate, rateByOwnLabels } from '../../judge/calibration/rate-by-own-labels.ts';
import { readVotes } from '../../judge/stored-votes.ts';
import { leftOutCases } from '../../report/run/run-report.ts';
import type { JudgeSummary } from '../../run/record/judge-summary.ts';
import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Store } from '../../store/store.ts';

/**
 * The run with the pass rates of its judges corrected by the labels that people gave on its own trials. Labels are given
 * after a run, so this is computed when a run is read, and not stored with it.
 */
export async function correctByOwnLabels(
  store: Pick<Store, 'trials'>,
  run: RunRecord,
  labels: readonly HumanLabel[],
): Promise<RunRecord> {
  const scenarios = await Promise.all(
    run.scenarios.map(async (entry, index) => {
      const { summary } = entry;
      const ofScenario = labels.filter(
        ({ run_id, scenario_index, assertion_id }) =>
          (run_id !== run.run_id || scenario_index === index) &&
          summary?.judges.some((judge) => judge.assertion_id === assertion_id),
      );
      if (!summary || ofScenario.length === 0) return entry;
      const trials = await judgedTrials(store, { runId: run.run_id, index, summary, labels: ofScenario });
      return { ...entry, summary: { ...summary, judges: summary.judges.map((judge) => corrected(judge, trials)) } };
    }),
  );
  return { ...run, scenarios };
}

interface JudgedScenario {
  runId: string;
  index: number;
  summary: ScenarioSummary;
  labels: readonly HumanLabel[];
}

/** By assertion: the trials on which its judge has a verdict, which are those that the Labels page draws from. */
async function judgedTrials(
  store: Pick<Store, 'trials'>,
  { runId, index, summary, labels }: JudgedScenario,
): Promise<Map<string, LabelledTrial[]>> {
  const said = Map.groupBy(labels, ({ trace_id, assertion_id }) => JSON.stringify([trace_id, assertion_id]));
  const leftOut = leftOutCases(summary);
  const judged = new Map(summary.judges.map(({ assertion_id }) => [assertion_id, [] as LabelledTrial[]]));
  for await (const { trace_id, case_index, result } of store.trials(runId, { scenarioIndex: index })) {
    if (trace_id === null) continue;
    for (const found of result?.eval_results ?? []) {
      const votes = judged.has(found.assertion_id) ? readVotes(found.metadata) : null;
      if (!votes || found.status === 'unscored') continue;
      judged.get(found.assertion_id)?.push({
        case: summary.cases.length > 1 ? case_index : null,
        // The share of the votes says more than their majority.
        probability: passChance(found, votes),
        labels: said.get(JSON.stringify([trace_id, found.assertion_id])) ?? [],
        counts: !leftOut.has(case_index),
      });
    }
  }
  return judged;
}

function corrected(judge: JudgeSummary, byAssertion: ReadonlyMap<string, LabelledTrial[]>): JudgeSummary {
  const trials = byAssertion.get(judge.assertion_id) ?? [];
  // A run that was resumed with another judge has trials of both.
  if (trials.filter(({ counts }) => counts).length !== judge.trials_judged) return judge;
  const own = rateByOwnLabels(trials);
  return own === null ? judge : withOwnRate(judge, own);
}

/** What the calibration says stays beside it. */
function withOwnRate(judge: JudgeSummary, own: OwnLabelsRate): JudgeSummary {
  const { calibration_note: note, corrected_pass_rate: rate, corrected_ci: interval } = judge;
  if (own.rate === null) return { ...judge, labels_note: own.note };
  return {
    ...judge,
    calibration_note: own.note,
    corrected_pass_rate: own.rate,
    corrected_ci: own.interval,
    corrected_by: { method: 'prediction_powered', labels: own.labels },
    ...(rate === null || interval === null ? {} : { corrected_by_error_rates: { rate, interval, note: note ?? '' } }),
  };
}
