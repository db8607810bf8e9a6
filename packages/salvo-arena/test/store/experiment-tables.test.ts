import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { COLUMN_TEXTS } from '../../../../test/hostile-texts.ts';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openSqliteStore } from '../../../salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../salvo/src/store/store.ts';
import { openPostgresStore } from '../../../salvo-postgres/src/store/open-postgres-store.ts';
import { sampleLease } from '../../../salvo-postgres/test/queue/sample-lease.ts';
import { type ExperimentStore, experimentModule, experimentsOf } from '../../src/store/experiment-tables.ts';
import { resolveExperimentId } from '../../src/store/resolve-experiment.ts';
import {
  failedGame,
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  sampleSheet,
} from '../arena-experiment/sample-experiment.ts';

/** Renewed so rarely that no test sees it. */
const LONG_MS = 3_600_000;
const WORK = { kind: 'experiment', id: 'exp-1' };

let postgres: TestDatabase;
beforeAll(async () => {
  postgres = await createDatabase();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** Empty databases. `open` gives a further store on the same one. */
const DATABASES: [string, () => Promise<{ open(leaseMs?: number): Promise<Store>; expireLeases(): Promise<void> }>][] =
  [
    [
      'SQLite',
      async () => {
        const { DatabaseSync } = await import('node:sqlite');
        const file = `${await temporaryFolder()}/salvo.db`;
        return {
          open: (leaseMs = LONG_MS) => openSqliteStore({ file, leaseMs }),
          async expireLeases() {
            const database = new DatabaseSync(file);
            database.exec('UPDATE leases SET expires_at = 0');
            database.close();
          },
        };
      },
    ],
    [
      'PostgreSQL',
      async () => {
        const open = (leaseMs = LONG_MS) => openPostgresStore({ url: postgres.url, leaseMs });
        const store = await open();
        await experimentsOf(store).listExperiments();
        await store.close();
        for (const table of [...experimentModule.work.tables, 'leases'])
          await postgres.query(`DELETE FROM salvo.${table}`);
        return {
          open,
          expireLeases: async () => void (await postgres.query(`UPDATE salvo.leases SET expires_at = 'epoch'`)),
        };
      },
    ],
  ];

describe.each(DATABASES)('experiments in %s', (_, create) => {
  let database: Awaited<ReturnType<typeof create>>;
  let store: Store;
  let experiments: ExperimentStore;
  beforeEach(async () => {
    database = await create();
    store = await database.open();
    experiments = experimentsOf(store);
    return () => store.close();
  });

  test('an experiment is read as it was saved, also after it was saved again', async () => {
    await experiments.saveExperiment(sampleExperiment());
    expect(await experiments.getExperiment('exp-1')).toEqual(sampleExperiment());
    const ended = sampleExperiment({ status: 'stopped', stop_reason: 'enough' });
    await experiments.saveExperiment(ended);
    expect(await experiments.getExperiment('exp-1')).toEqual(ended);
    expect(await experiments.listExperiments()).toHaveLength(1);
    expect(await experiments.getExperiment('nothing')).toBeNull();
  });

  test('experiments are listed newest first, and found by their beginning', async () => {
    for (const [day, experiment_id] of ['ab1', 'ab2', 'b%'].entries()) {
      const created_at = `2026-01-0${day + 1}T00:00:00.000Z`;
      await experiments.saveExperiment(sampleExperiment({ experiment_id, created_at }));
    }
    // Saving an experiment again does not make it newer.
    await experiments.saveExperiment(sampleExperiment({ experiment_id: 'ab1', status: 'finished' }));
    const ids = (await experiments.listExperiments()).map(({ experiment_id }) => experiment_id);
    expect(ids).toEqual(['b%', 'ab2', 'ab1']);
    expect(await experiments.listExperiments({ limit: 1 })).toHaveLength(1);
    expect(await experiments.findExperimentIds('ab', 10)).toEqual(['ab2', 'ab1']);
    expect(await experiments.findExperimentIds('ab', 1)).toEqual(['ab2']);
    expect(await experiments.findExperimentIds('b%', 10)).toEqual(['b%']);
    expect(await experiments.findExperimentIds('zz', 10)).toEqual([]);
  });

  test('games come back in the order of their ids, each as it was last saved', async () => {
    await experiments.saveExperiment(sampleExperiment());
    await experiments.saveExperiment(sampleExperiment({ experiment_id: 'exp-2' }));
    await experiments.saveGame(sampleGame({ game_id: 'g2' }));
    await experiments.saveGame(failedGame({ game_id: 'g1' }));
    await experiments.saveGame(sampleGame({ game_id: 'g1', experiment_id: 'exp-2' }));
    await experiments.saveGame(sampleGame({ game_id: 'g1', seed: 9 }));
    expect(await Array.fromAsync(experiments.games('exp-1'))).toEqual([
      sampleGame({ game_id: 'g1', seed: 9 }),
      sampleGame({ game_id: 'g2' }),
    ]);
    expect(await Array.fromAsync(experiments.games('nothing'))).toEqual([]);
  });

  test('what a replaced game has cost, or one that was never stored, is kept once', async () => {
    for (const experiment_id of ['exp-1', 'exp-2'])
      await experiments.saveExperiment(sampleExperiment({ experiment_id }));
    const failed = failedGame({ red_cost_usd: 0.25, blue_cost_usd: null, judge_cost_usd: 0.5 });
    const scored = sampleGame({ game_id: failed.game_id, blue_cost_usd: 1 });
    // Saved again by whoever got no answer.
    for (const game of [failed, failed, scored, scored]) await experiments.saveGame(game);
    expect(await experiments.lostCost('exp-1')).toBe(0.75);
    for (const id of ['one', 'one', 'two']) await experiments.addLostCost('exp-1', { id, usd: 2 });
    expect(await experiments.lostCost('exp-1')).toBe(4.75);
    expect(await experiments.lostCost('exp-2')).toBe(0);
    const unknown = { code: 'EXPERIMENT_UNKNOWN' };
    await expect(experiments.addLostCost('nothing', { id: 'one', usd: 1 })).rejects.toMatchObject(unknown);
  });

  test('a game is read with the sheet that was last saved with it, and games in pages', async () => {
    await experiments.saveExperiment(sampleExperiment());
    for (const game_id of ['g3', 'g1', 'g2']) await experiments.saveGame(sampleGame({ game_id }), sampleSheet());
    const hostile = sampleSheet({ findings: [{ finding: 0, title: '\u0000~"</script>'.repeat(50) }] });
    await experiments.saveGame(sampleGame({ game_id: 'g1' }), hostile);
    await experiments.saveGame(failedGame({ game_id: 'g2' }));
    expect(await experiments.getGame('exp-1', 'g1')).toEqual({ game: sampleGame({ game_id: 'g1' }), sheet: hostile });
    expect(await experiments.getGame('exp-1', 'g2')).toEqual({ game: failedGame({ game_id: 'g2' }), sheet: null });
    expect(await experiments.getGame('exp-1', 'g4')).toBeNull();
    expect(await experiments.getGame('exp-2', 'g1')).toBeNull();
    const ids = async (offset: number, limit: number) =>
      (await experiments.gamePage('exp-1', { offset, limit })).map(({ game_id }) => game_id);
    expect([await ids(0, 2), await ids(2, 2), await ids(4, 2)]).toEqual([['g1', 'g2'], ['g3'], []]);
  });

  test('any number of games can be read, and saved to while they are', async () => {
    await experiments.saveExperiment(sampleExperiment());
    const ids = Array.from({ length: 350 }, (_, index) => `g${String(index).padStart(4, '0')}`);
    await Promise.all(ids.map((game_id) => experiments.saveGame(sampleGame({ game_id }))));
    const seen: string[] = [];
    for await (const game of experiments.games('exp-1')) {
      seen.push(game.game_id);
      if (seen.length % 100 === 0) await experiments.saveGame({ ...game, repetition: 1 });
    }
    expect(seen).toEqual(ids);
  });

  test('a game without a stored experiment is refused', async () => {
    const unknown = { code: 'EXPERIMENT_UNKNOWN' };
    await expect(experiments.saveGame(sampleGame())).rejects.toMatchObject(unknown);
    await expect(experiments.saveGame(sampleGame({ experiment_id: null }))).rejects.toMatchObject(unknown);
    await expect(experiments.saveCode('exp-1', 'key', sampleOutcome())).rejects.toMatchObject(unknown);
  });

  test('code is read byte for byte, hostile file names and manifests included', async () => {
    await experiments.saveExperiment(sampleExperiment());
    const files = JSON.parse('{"__proto__": "x", "main.tf": "a\\u0000\\r\\nb", "deep/é.tf": ""}');
    const outcome = { ...sampleOutcome(), files, vulnerabilities: [{ id: 'V1', own: { constructor: [1] } }] };
    expect(await experiments.saveCode('exp-1', 'key', outcome)).toBe(true);
    expect(JSON.stringify(await experiments.getCode('exp-1', 'key'))).toBe(JSON.stringify(outcome));
    expect(await experiments.getCode('exp-1', 'other')).toBeNull();
    expect(await experiments.getCode('exp-2', 'key')).toBeNull();
  });

  test('texts that databases find difficult survive in every column, and ids are in the order of their bytes', async () => {
    await experiments.saveExperiment(sampleExperiment());
    for (const text of COLUMN_TEXTS) {
      await experiments.saveGame(sampleGame({ game_id: text }));
      await experiments.saveCode('exp-1', text, sampleOutcome());
      await experiments.saveExperiment(sampleExperiment({ experiment_id: text }));
      expect(await experiments.findExperimentIds(text, 9)).toContain(text);
    }
    const inOrder = COLUMN_TEXTS.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const plain = (ids: readonly string[]) => ids.filter((id) => !/[\0\\]/.test(id));
    const games = (await Array.fromAsync(experiments.games('exp-1'))).map(({ game_id }) => game_id);
    expect(games.toSorted()).toEqual(COLUMN_TEXTS.toSorted());
    expect(plain(games)).toEqual(plain(inOrder));
    expect((await experiments.codeKeys('exp-1')).toSorted()).toEqual(COLUMN_TEXTS.toSorted());
  });

  test('they are removed for good with all that only they refer to, unless somebody works on them', async () => {
    for (const experiment_id of ['exp-1', 'exp-2', 'exp-3']) {
      await experiments.saveExperiment(sampleExperiment({ experiment_id }));
      await experiments.saveGame(sampleGame({ experiment_id }), sampleSheet());
      await experiments.saveCode(experiment_id, 'key', sampleOutcome());
      await experiments.addLostCost(experiment_id, { id: 'one', usd: 1 });
    }
    await using _lease = await store.claim({ kind: 'experiment', id: 'exp-3' });
    expect(await store.removeForGood(['exp-1', 'exp-3', 'nothing'], experimentModule)).toBe(1);
    expect((await experiments.listExperiments()).map(({ experiment_id }) => experiment_id)).toEqual(['exp-3', 'exp-2']);
    expect(await experiments.getCode('exp-1', 'key')).toBeNull();
    expect([await experiments.lostCost('exp-1'), await experiments.lostCost('exp-2')]).toEqual([0, 1]);
    // The same texts are in those that are left.
    expect((await experiments.getGame('exp-2', sampleGame().game_id))?.sheet).toEqual(sampleSheet());
    await store.removeForGood(['exp-2'], experimentModule);
    await experiments.saveGame(sampleGame({ experiment_id: 'exp-3', game_id: 'later' }), sampleSheet());
    expect((await experiments.getGame('exp-3', 'later'))?.sheet).toEqual(sampleSheet());
  });

  test('a process that lost its lease writes nothing more', async () => {
    await using other = { store: await database.open(3000), [Symbol.asyncDispose]: () => other.store.close() };
    const second = experimentsOf(other.store);
    await using _lost = await experiments.claim(WORK);
    await experiments.saveExperiment(sampleExperiment());
    await database.expireLeases();
    await using _lease = await second.claim(WORK);
    const refused = { code: 'LEASE_LOST', message: expect.stringContaining('taken over experiment exp-1') };
    await expect(experiments.saveGame(sampleGame())).rejects.toMatchObject(refused);
    await expect(experiments.saveExperiment(sampleExperiment({ status: 'finished' }))).rejects.toMatchObject(refused);
    await expect(second.saveGame(sampleGame())).resolves.toBeDefined();
    // What was paid is on the bill, whoever works on it by now.
    await experiments.addLostCost('exp-1', { id: 'late', usd: 2 });
    expect(await second.lostCost('exp-1')).toBe(2);
  });

  test('closing waits for what is being written', async () => {
    const saved = experiments.saveExperiment(sampleExperiment());
    await store.close();
    await expect(saved).resolves.toBeUndefined();
  });

  test('the latest experiment is complete; to be resumed it is not', async () => {
    for (const status of ['interrupted', 'stopped', 'finished', 'running'] as const) {
      await experiments.saveExperiment(sampleExperiment({ experiment_id: status, status }));
    }
    expect(await resolveExperimentId(experiments, 'latest')).toBe('finished');
    expect(await resolveExperimentId(experiments, 'latest', { toResume: true })).toBe('running');
    expect(await resolveExperimentId(experiments, 'stop', { toResume: true })).toBe('stopped');
  });
});

describe('experiments that workers play', () => {
  let store: Store;
  let experiments: ExperimentStore;
  beforeEach(async () => {
    store = (await (await DATABASES[1]?.[1]())?.open()) ?? expect.unreachable();
    experiments = experimentsOf(store);
    await experiments.saveExperiment(sampleExperiment());
    return () => store.close();
  });

  test('a job that is lost writes nothing, but what it has cost', async () => {
    // The lead has the lease: workers write all the same.
    await using _lease = await experiments.claim(WORK);
    // With its tables.
    await store.workerAccess?.queue.status();
    const lease = await sampleLease(postgres);
    const recorder = store.workerAccess?.ofJob(lease).tables(experimentModule);
    await recorder?.saveGame(sampleGame({ game_id: 'g1' }));
    await lease.lose();
    const lost = { code: 'JOB_LOST', outcome: 'unscored' };
    await expect(recorder?.saveGame(sampleGame({ game_id: 'g2' }))).rejects.toMatchObject(lost);
    await expect(recorder?.saveCode('exp-1', 'key', sampleOutcome())).rejects.toMatchObject(lost);
    await recorder?.addLostCost('exp-1', { id: 'one', usd: 1 });
    expect((await Array.fromAsync(experiments.games('exp-1'))).map(({ game_id }) => game_id)).toEqual(['g1']);
    expect(await experiments.codeKeys('exp-1')).toEqual([]);
    expect(await experiments.lostCost('exp-1')).toBe(1);
  });

  test('the lead reads every game that changed since it last looked', async () => {
    await experiments.saveGame(sampleGame({ game_id: 'g1' }));
    const start = (await store.workerAccess?.cursor()) ?? '';
    expect((await experiments.changedGames('exp-1', start)).results).toEqual([]);
    await experiments.saveGame(sampleGame({ game_id: 'g2' }));
    await experiments.saveGame(failedGame({ game_id: 'g1' }));
    const { results, cursor } = await experiments.changedGames('exp-1', start);
    expect(results).toEqual([sampleGame({ game_id: 'g2' }), failedGame({ game_id: 'g1' })]);
    expect((await experiments.changedGames('exp-1', cursor)).results).toEqual([]);
  });

  test('an experiment is imported as a whole, and once', async () => {
    await using file = {
      store: await openSqliteStore({ file: ':memory:' }),
      [Symbol.asyncDispose]: () => file.store.close(),
    };
    const source = experimentsOf(file.store);
    await source.saveExperiment(sampleExperiment({ experiment_id: 'exp-2' }));
    await source.saveGame(sampleGame({ experiment_id: 'exp-2' }), sampleSheet());
    await source.saveCode('exp-2', 'key', sampleOutcome());
    await source.addLostCost('exp-2', { id: 'one', usd: 3 });
    expect(await experiments.importWork(file.store, 'exp-2')).toBe(true);
    expect(await experiments.importWork(file.store, 'exp-2')).toBe(false);
    expect(await experiments.getExperiment('exp-2')).toEqual(sampleExperiment({ experiment_id: 'exp-2' }));
    expect(await experiments.getGame('exp-2', sampleGame().game_id)).toEqual({
      game: sampleGame({ experiment_id: 'exp-2' }),
      sheet: sampleSheet(),
    });
    expect(await experiments.getCode('exp-2', 'key')).toEqual(sampleOutcome());
    expect(await experiments.lostCost('exp-2')).toBe(3);
    await expect(source.importWork(store, 'exp-1')).rejects.toMatchObject({ code: 'DATABASE_MISSING' });
  });
});
