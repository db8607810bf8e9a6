import { trialPath } from '../../app/view/page-hrefs.ts';
import type { Ask } from './recording-client.ts';
import { trialAnswers } from './run-answers.ts';

/** Everything that a comparison and its pairs of conversations ask for. The others are compared with the first run. */
export async function compareAnswers(ask: Ask, runIds: readonly string[]): Promise<void> {
  const { rows } = await (await ask.compare.$get({ query: { run: [...runIds] } })).json();
  const pairs = rows.flatMap(({ others }) => others.flatMap((cell) => cell?.pairs ?? []));
  for (const { base, next } of pairs) {
    await ask.compare.traces.$get({ query: { base: trialPath(base), next: trialPath(next) } });
    for (const trial of [base, next]) await trialAnswers(ask, trial.run_id, trial);
  }
}
