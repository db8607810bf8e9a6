import { expect, test } from 'vitest';
import { NO_LIMIT } from '../../../../salvo/src/models/budget/budget.ts';
import { meterCost } from '../../../../salvo/src/models/call/cost-meter.ts';
import type { TakenJob } from '../../../../salvo/src/queue/work-queue.ts';
import { openSqliteStore } from '../../../../salvo/src/store/sqlite/sqlite-store.ts';
import { SalvoError } from '../../../../salvo/src/text/errors/salvo-error.ts';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  samplePlan,
} from '../../../test/arena-experiment/sample-experiment.ts';
import { cellAt } from '../../experiment/plan/expand-plan.ts';
import type { GameRequest } from '../../experiment/run-experiment.ts';
import { experimentsOf } from '../../store/experiment-tables.ts';
import { jobOfCells } from './cell-job.ts';
import { performCellJob, type ReadyExperiment, waitsForCoordinator } from './perform-cell-job.ts';

const RED_USD = 0.5;
const never = new AbortController().signal;
const proof = { message: 'wrong key', code: 'AUTH' };

/** One piece of code for two Blues. The model of the first one may be out here. */
async function arrange(state: { isOutHere?: boolean; isOut?: boolean; isLost?: boolean; blueUsd?: number }) {
  const store = experimentsOf(await openSqliteStore({ file: ':memory:' }));
  const plan = samplePlan({ tasks: ['one'], red: ['llm:r'], blue: ['llm:a', 'llm:b'] });
  const experiment = sampleExperiment({ plan });
  await store.saveExperiment(experiment);
  const play: GameRequest['play'] = async (cell, red, { gameId, codeKey }) => {
    const { task, blue } = cell;
    const request = { ...cell, provider: 'aws' } as const;
    const { metadata } = await red.generate(request);
    meterCost(state.blueUsd ?? 0);
    const game = { game_id: gameId, code_key: codeKey, task, blue, red_cost_usd: metadata.cost_usd };
    const isFailed = blue === 'llm:a' && state.isOutHere;
    return { game: isFailed ? failedGame({ ...game, error: proof.message }) : sampleGame(game), sheet: null };
  };
  const ready: ReadyExperiment = {
    request: {
      experiment,
      redOf: () => ({
        name: 'llm:r',
        async generate(request) {
          meterCost(RED_USD);
          return sampleOutcome(request, { cost_usd: RED_USD });
        },
      }),
      budget: NO_LIMIT,
      onEvent: () => {},
    },
    playUntil: () => play,
    ...{ stop: never, abort: never },
    getGame: store.getGame,
    recorderOf: () => ({
      ...store,
      saveGame: (game, sheet) =>
        state.isLost ? Promise.reject(new SalvoError('JOB_LOST', 'another has it')) : store.saveGame(game, sheet),
    }),
    modelsOf: ({ blue }, stage) => (stage === 'blue' ? [{ adapter: 'x', model: blue }] : []),
    outageOf: (_, model) => ({ proof: model === 'llm:a' && state.isOutHere ? proof : null }),
    isOut: () => state.isOut ?? false,
  };
  const cells = [0, 1].map((index) => cellAt(plan, index));
  const taken: Omit<TakenJob, keyof ReturnType<typeof jobOfCells>> = {
    work: { kind: 'experiment', id: experiment.experiment_id },
    attempt: 1,
    lost: never,
    isUntouched: true,
    confirm: async () => {},
    lease: { jobId: 'job', token: 1, hasEnded: false },
    done: async () => {},
    failed: async () => {},
    giveBack: async () => {},
  };
  const job = { ...jobOfCells({ codeKey: 'code', cells }, { replay: false, labels: [] }), ...taken };
  return {
    perform: () => performCellJob(job, ready),
    isWaiting: () => waitsForCoordinator(ready),
    games: async () =>
      (await Array.fromAsync(store.games('exp-1'))).map(({ blue, status, red_cost_usd }) => [
        blue,
        status,
        red_cost_usd,
      ]),
    lost: () => store.lostCost('exp-1'),
  };
}

test('a game whose model cannot be reached from here is left to others, and the rest is played', async () => {
  const state = { isOutHere: true, blueUsd: 0.25 };
  const { perform, games, lost, isWaiting } = await arrange(state);
  expect(await perform()).toBe('elsewhere');
  // The code is kept, so a game that is stored is charged for it.
  expect(await games()).toEqual([['llm:b', 'scored', RED_USD]]);
  expect(await lost()).toBe(0.25);
  expect(isWaiting()).toBe(true);
  // As another worker does it.
  state.isOutHere = false;
  expect(await perform()).toBe('done');
  expect(await games()).toEqual([
    ['llm:a', 'scored', 0],
    ['llm:b', 'scored', RED_USD],
  ]);
});

test('a model that no worker can reach fails the games that need it', async () => {
  const { perform, games, isWaiting } = await arrange({ isOutHere: true, isOut: true });
  expect(await perform()).toBe('done');
  expect(await games()).toMatchObject([
    ['llm:a', 'failed', RED_USD],
    ['llm:b', 'scored', 0],
  ]);
  expect(isWaiting()).toBe(false);
});

test('what was paid for a game that is another worker’s by now stays on the bill, and its code is charged for later', async () => {
  const { perform, games, lost } = await arrange({ isLost: true, blueUsd: 0.25 });
  await expect(perform()).rejects.toMatchObject({ code: 'JOB_LOST' });
  expect(await games()).toEqual([]);
  expect(await lost()).toBe(0.25);
});
