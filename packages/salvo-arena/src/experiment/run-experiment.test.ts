import { describe, expect, test } from 'vitest';
import { createBudget } from '../../../salvo/src/models/budget/create-budget.ts';
import { meterCost } from '../../../salvo/src/models/call/cost-meter.ts';
import { openSqliteStore } from '../../../salvo/src/store/sqlite/sqlite-store.ts';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  samplePlan,
} from '../../test/arena-experiment/sample-experiment.ts';
import type { Game } from '../game/game-document.ts';
import type { RedOutcome, RedTeam } from '../red/red-team.ts';
import { RedTeamError } from '../red/red-team-error.ts';
import { type ExperimentStore, experimentsOf } from '../store/experiment-tables.ts';
import type { Cell } from './plan/expand-plan.ts';
import type { ExperimentPlan } from './plan/experiment-plan.ts';
import { type ExperimentRequest, runExperiment } from './run-experiment.ts';

const FAILED = { status: 'failed', failed_stage: 'blue', error: 'broke', blue_cost_usd: null, scores: null } as const;
const never = new AbortController().signal;

/** An experiment with a fake Red and games that are scored without looking at anything. */
async function arrange(
  change: Partial<ExperimentPlan>,
  options: {
    /** What a game becomes, given what Red made. */
    game?: (cell: Cell, outcome: RedOutcome, attempt: number) => Partial<Game>;
    generate?: () => RedOutcome;
    store?: Partial<ExperimentStore>;
  } = {},
) {
  const store = { ...experimentsOf(await openSqliteStore({ file: ':memory:' })), ...options.store };
  const plan = samplePlan({ red: ['llm:m'], blue: ['a', 'b'], ...change });
  const calls = { red: 0, play: [] as string[] };
  const red: RedTeam = {
    name: 'llm:m',
    async generate(request) {
      calls.red += 1;
      return options.generate ? options.generate() : sampleOutcome(request, { seed: calls.red });
    },
  };
  const attempts = new Map<string, number>();
  const play: ReturnType<ExperimentRequest['playUntil']> = async (cell, sharedRed, place) => {
    const attempt = (attempts.get(place.gameId) ?? 0) + 1;
    attempts.set(place.gameId, attempt);
    calls.play.push(`${cell.task} ${cell.blue}`);
    const { gameId: game_id, experimentId: experiment_id, codeKey: code_key, repetition } = place;
    const { task, blue, difficulty, language, strategy } = cell;
    const base = {
      game_id,
      experiment_id,
      code_key,
      repetition,
      task,
      red: cell.red,
      blue,
      difficulty,
      language,
      strategy,
    };
    try {
      const request = { task, difficulty, language, strategy, seed: cell.seed, provider: 'aws' } as const;
      const outcome = await sharedRed.generate(request);
      const { cost_usd: red_cost_usd, seed } = outcome.metadata;
      const game = sampleGame({ ...base, red_cost_usd, seed, ...options.game?.(cell, outcome, attempt) });
      const call = { kind: blue, place: 0, estimateUsd: null, mostUsd: null };
      (await budget.admit(async () => call)).paid(game.blue_cost_usd);
      return { game, sheet: null };
    } catch (error) {
      const failed = { failed_stage: 'red' as const, error: String(error), claimed: 0, red_cost_usd: null };
      return { game: failedGame({ ...base, ...failed }), sheet: null };
    }
  };
  const experiment = sampleExperiment({ plan });
  let budget = createBudget(null);
  const run = ({ budgetUsd = null, ...more }: Partial<ExperimentRequest> & { budgetUsd?: number | null } = {}) => {
    budget = createBudget(budgetUsd);
    return runExperiment({
      experiment,
      recorder: store,
      redOf: () => red,
      playUntil: () => play,
      concurrency: 3,
      budget,
      stop: never,
      abort: never,
      now: () => new Date(0),
      onEvent: () => {},
      ...more,
    });
  };
  const games = () => Array.fromAsync(store.games('exp-1'));
  return { run, calls, games, store, experiment };
}

describe('code', () => {
  test('is made once for all Blues, and paid for by one of them', async () => {
    const { run, calls, games } = await arrange({});
    expect(await run()).toMatchObject({ status: 'finished', stop_reason: null });
    expect(calls.red).toBe(2);
    const played = await games();
    expect(played.map(({ task, blue }) => `${task} ${blue}`)).toEqual(['one a', 'one b', 'two a', 'two b']);
    // `seed` tells here which generation the game was played on.
    expect(played[0]?.seed).toBe(played[1]?.seed);
    expect(played.reduce((sum, { red_cost_usd }) => sum + (red_cost_usd ?? 0), 0)).toBe(1);
  });

  test('that Red could not make fails every game on it, and is asked for once', async () => {
    const generate = () => {
      throw new RedTeamError('MODEL_FAILED', 'the model is down');
    };
    const { run, calls, games } = await arrange({}, { generate });
    expect(await run()).toMatchObject({ status: 'finished' });
    expect(calls.red).toBe(2);
    expect((await games()).map(({ status, failed_stage }) => `${status} ${failed_stage}`)).toEqual(
      Array.from({ length: 4 }, () => 'failed red'),
    );
  });

  test('is not paid for twice when an experiment is resumed', async () => {
    const { run, calls, games } = await arrange(
      {},
      { game: ({ blue }, _, attempt) => (blue === 'b' && attempt === 1 ? FAILED : {}) },
    );
    await run();
    await run();
    expect(calls.red).toBe(2);
    const played = await games();
    expect(played.every(({ status }) => status === 'scored')).toBe(true);
    expect(played.map(({ red_cost_usd }) => red_cost_usd).toSorted()).toEqual([0, 0, 0.5, 0.5]);
  });

  test('that was lost and cannot be made again has all its games played again', async () => {
    const { run, calls, games } = await arrange(
      { tasks: ['one'] },
      {
        game: ({ blue }, _, attempt) => (blue === 'b' && attempt === 1 ? FAILED : {}),
        store: { saveCode: async () => false, getCode: async () => null },
      },
    );
    await run();
    expect((await games()).map(({ status }) => status)).toEqual(['scored', 'failed']);
    await run();
    expect(calls.red).toBe(2);
    expect(calls.play).toEqual(['one a', 'one b', 'one a', 'one b']);
    expect((await games()).map(({ seed }) => seed)).toEqual([2, 2]);
  });
});

describe('resuming', () => {
  test('plays what failed, leaves what was scored, and finishes', async () => {
    const { run, calls, games } = await arrange(
      {},
      {
        game: ({ task, blue }, _, attempt) => (`${task}${blue}` === 'twoa' && attempt === 1 ? FAILED : {}),
      },
    );
    await run();
    expect((await games()).filter(({ status }) => status === 'failed')).toHaveLength(1);
    calls.play.length = 0;
    expect(await run()).toMatchObject({ status: 'finished' });
    expect(calls.play).toEqual(['two a']);
    expect((await games()).map(({ status }) => status)).toEqual(['scored', 'scored', 'scored', 'scored']);
  });

  test('plays the missing games after an interruption', async () => {
    const stop = new AbortController();
    const { run, calls, games } = await arrange({});
    const interrupted = await run({
      concurrency: 1,
      stop: stop.signal,
      onEvent: ({ type }) => type === 'game_finished' && stop.abort(),
    });
    expect(interrupted).toMatchObject({ status: 'interrupted', stop_reason: null });
    expect(await games()).toHaveLength(1);
    expect(await run()).toMatchObject({ status: 'finished' });
    expect(calls.play).toHaveLength(4);
  });

  test('a game that was given up counts as never played', async () => {
    const abort = new AbortController();
    const { run, games, store } = await arrange({});
    const outcome = await run({
      abort: abort.signal,
      stop: abort.signal,
      playUntil: () => async () => {
        abort.abort();
        meterCost(0.25);
        throw new Error('aborted');
      },
    });
    expect(outcome.status).toBe('interrupted');
    expect(await games()).toEqual([]);
    expect(await store.lostCost('exp-1')).toBe(0.25);
  });

  test('what a failed game has cost stays on the bill when it is played again, and its code is charged for once', async () => {
    const { run, games, store } = await arrange(
      { tasks: ['one'], blue: ['a'] },
      { game: (_, __, attempt) => ({ ...(attempt === 1 && FAILED), blue_cost_usd: 0.25 }) },
    );
    const spent: number[] = [];
    const onEvent: ExperimentRequest['onEvent'] = (event) => {
      if (event.type === 'experiment_started') spent.push(event.spentUsd);
    };
    for (const _ of [1, 2, 3]) await run({ onEvent });
    expect(await games()).toMatchObject([{ status: 'scored', red_cost_usd: 0, blue_cost_usd: 0.25 }]);
    expect(await store.lostCost('exp-1')).toBe(0.75);
    expect(spent).toEqual([0, 0.75, 1]);
  });

  test('a bug in a game is not swallowed', async () => {
    const { run } = await arrange({});
    await expect(run({ playUntil: () => () => Promise.reject(new TypeError('oops')) })).rejects.toThrow('oops');
  });
});

describe('a budget', () => {
  const priced = () => ({ red_cost_usd: 0, blue_cost_usd: 0.3 });

  test('is never exceeded, and a larger one lets the rest be played', async () => {
    const { run, games } = await arrange({ tasks: ['1', '2', '3', '4'] }, { game: priced });
    const stopped = await run({ budgetUsd: 1, concurrency: 4 });
    expect(stopped).toMatchObject({
      status: 'stopped',
      stop_reason: 'another game could exceed the budget of $1; $0.90 is spent',
    });
    expect(await games()).toHaveLength(3);
    expect(await run({ budgetUsd: 10 })).toMatchObject({ status: 'finished', stop_reason: null });
    expect(await games()).toHaveLength(8);
  });

  test('counts what was spent before', async () => {
    const { run, games } = await arrange({ tasks: ['1', '2', '3', '4'] }, { game: priced });
    await run({ budgetUsd: 1 });
    expect(await run({ budgetUsd: 1 })).toMatchObject({ status: 'stopped' });
    expect(await games()).toHaveLength(3);
  });

  test('cannot be kept when a price is unknown', async () => {
    const { run, games } = await arrange({ tasks: ['1', '2'] }, { game: () => ({ blue_cost_usd: null }) });
    const stopped = await run({ budgetUsd: 5, concurrency: 1 });
    expect(stopped.stop_reason).toContain('the budget cannot be kept: a reply had no token counts');
    expect(await games()).toHaveLength(1);
  });
});

describe('an experiment with wrong manifests', () => {
  const allPhantoms = () => ({ confirmed: 0, phantoms: 5 });
  const plan = {
    tasks: Array.from({ length: 40 }, (_, index) => `task ${index}`),
    blue: ['a'],
    stop: { min_manifest_accuracy: 0.5, after_games: 5 },
  };

  test('stops as soon as it is certain, with the reason', async () => {
    const { run, games } = await arrange(plan, { game: allPhantoms });
    const stopped = await run({ concurrency: 1 });
    expect(stopped.status).toBe('stopped');
    expect(stopped.stop_reason).toContain('manifest accuracy will not reach 50.0%');
    expect(await games()).toHaveLength(5);
  });

  test('stops again when it is resumed', async () => {
    const { run, games } = await arrange(plan, { game: allPhantoms });
    await run({ concurrency: 1 });
    expect(await run({ concurrency: 1 })).toMatchObject({ status: 'stopped' });
    expect(await games()).toHaveLength(5);
  });
});
