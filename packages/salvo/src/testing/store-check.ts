import { namedCases } from '../evaluators/assertion-ids.ts';
import { summarizeResults } from '../run/summarize-results.ts';
import { withFurtherResults } from '../trial/evaluate-trial.ts';
import { type CheckedTrial, scenarioOf } from './check-trials.ts';
import type { TestedRun } from './evaluate.ts';

/** Adds what a matcher checked to the stored run, as an assertion of its scenario. */
export async function storeCheck(tested: TestedRun, checked: readonly CheckedTrial[]): Promise<void> {
  const cases = namedCases(scenarioOf(tested));
  tested.results = tested.results.map((result, index) => {
    const further = checked[index]?.result;
    if (!further) return result;
    const { threshold } = cases.scenarioOf(result.case_index);
    return withFurtherResults(result, { further: [further], threshold });
  });
  tested.storing = tested.storing.then(() => storeResults(tested));
  await tested.storing;
}

async function storeResults({ openStore, record: run, run: { summary: ended }, results }: TestedRun): Promise<void> {
  if (!openStore) return;
  const { run_id } = run;
  const store = await openStore();
  try {
    await using _lease = await store.claim({ kind: 'run', id: run_id });
    const trials = await Array.fromAsync(store.trials(run_id));
    for (const trial of trials) {
      const result = results.find(
        ({ case_index, trial_number }) => case_index === trial.case_index && trial_number === trial.trial_number,
      );
      if (result) await store.saveTrial({ ...trial, result });
    }
    const earlierCosts = trials.flatMap(({ earlier_cost }) => earlier_cost ?? []);
    const { summary, verdict, exit_code } = summarizeResults({ run, ended, results, earlierCosts });
    await store.updateRun(run_id, { verdict, exit_code, summaries: [summary] });
  } finally {
    await store.close();
  }
}
