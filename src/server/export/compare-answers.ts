import type { TrialAt } from '../../app/view/compare/changed-trials.ts';
import type { CompareView } from '../../app/view/compare/compare-view.ts';
import type { ViewedPage } from '../../app/view/viewed-project.ts';
import { type Ask, trialAnswers } from './run-answers.ts';

/** The page that compares runs, and the answer that it asks for. The first run is what the others are compared with. */
export function comparePage(runIds: readonly string[]): ViewedPage & { answer: string } {
  const query = new URLSearchParams(runIds.map((runId): [string, string] => ['run', runId]));
  return { name: 'Comparison', href: `/compare/${runIds.join('/')}`, answer: `/compare?${query}` };
}

/** Everything that a comparison and its pairs of conversations ask for. */
export async function compareAnswers(ask: Ask, runIds: readonly string[]): Promise<void> {
  const { rows } = await ask<CompareView>(comparePage(runIds).answer);
  const pairs = rows.flatMap(({ others }) => others.flatMap((cell) => cell?.pairs ?? []));
  for (const { base, next } of pairs) {
    await ask(`/compare/traces?${new URLSearchParams({ base: placeOf(base), next: placeOf(next) })}`);
    for (const trial of [base, next]) await trialAnswers(ask, trial.run_id, trial);
  }
}

function placeOf({ run_id, scenario_index, case_index, trial_number }: TrialAt): string {
  return `${run_id}/${scenario_index}/${case_index}/${trial_number}`;
}
