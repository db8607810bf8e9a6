import { expect, test } from 'vitest';
import { checkGames, checkTrials } from '../../../bench/workers/chaos-checks.ts';
import { chaosGames, chaosTrials } from '../../../bench/workers/chaos-project.ts';
import { runChaos } from '../../../bench/workers/chaos-run.ts';

/** Every fault of the deck once. `npm run bench chaos` does the same with 20,000 trials. */
const FAULTS = 10;
/** Less than a test may take. */
const COMMON = { faults: FAULTS, workers: 3, concurrency: 2, seed: 1, minutes: 4 };

test('trials of which all processes are disturbed are stored, counted and billed once', async ({ task }) => {
  task.meta.cases = FAULTS;
  const project = chaosTrials(300);
  const checks = await runChaos({ ...COMMON, project, units: 300 }, (run) =>
    checkTrials(run, { trials: 300, passing: project.passing }),
  );
  expect(checks.filter(({ found }) => found !== null)).toEqual([]);
});

test('games of which all processes are disturbed are stored, counted and billed once', async ({ task }) => {
  task.meta.cases = FAULTS;
  const checks = await runChaos({ ...COMMON, project: chaosGames(60), units: 60 }, (run) => checkGames(run, 60));
  expect(checks.filter(({ found }) => found !== null)).toEqual([]);
});
