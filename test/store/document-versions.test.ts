import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { judgeLines } from '../../packages/salvo/src/app/view/judges/judge-view.ts';
import { comparisonsOf } from '../../packages/salvo/src/store/comparison-tables.ts';
import { judgesOf } from '../../packages/salvo/src/store/judge-tables.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { experimentLines } from '../../packages/salvo-arena/src/app/view/experiment-view.ts';
import { experimentsOf } from '../../packages/salvo-arena/src/store/experiment-tables.ts';
import {
  sampleExperiment,
  sampleGame,
  sampleOutcome,
  sampleSheet,
} from '../../packages/salvo-arena/test/arena-experiment/sample-experiment.ts';
import { openPostgresStore } from '../../packages/salvo-postgres/src/store/open-postgres-store.ts';
import { createDatabase } from '../postgres.ts';
import { sampleCalibration } from '../sample-calibration.ts';
import { sampleComparison } from '../sample-comparison.ts';
import { sampleLabel } from '../sample-label.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface OpenedStore extends AsyncDisposable {
  store: Store;
  /** Runs SQL on its tables, whose names follow a `%`. */
  sql(text: string): Promise<Record<string, unknown>[]>;
}

const STORES: [string, () => Promise<OpenedStore>][] = [
  [
    'SQLite',
    async () => {
      const file = `${await temporaryFolder()}/salvo.db`;
      const store = await openSqliteStore({ file });
      const database = new DatabaseSync(file);
      return {
        store,
        sql: async (text) => database.prepare(text.replaceAll('%', '')).all(),
        async [Symbol.asyncDispose]() {
          database.close();
          await store.close();
        },
      };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const database = await createDatabase();
      const store = await openPostgresStore({ url: database.url });
      return {
        store,
        sql: (text) => database.query(text.replaceAll('%', 'salvo.')),
        async [Symbol.asyncDispose]() {
          await store.close();
          await database[Symbol.asyncDispose]();
        },
      };
    },
  ],
];

const NEWER = 'written by a newer Salvo (version 7); this one reads up to 1: update Salvo';
const VERSION = '"document_version":1';
const DOCUMENTS = [
  ['experiments', 'record'],
  ['games', 'game'],
  ['games', 'sheet'],
  ['game_code', 'outcome'],
  ['labels', 'label'],
  ['calibrations', 'record'],
  ['judge_comparisons', 'comparison'],
] as const;

describe.each(STORES)('documents in %s', (_, open) => {
  async function filled(): Promise<OpenedStore> {
    const opened = await open();
    const { store } = opened;
    for (const id of ['exp-1', 'exp-2']) {
      await experimentsOf(store).saveExperiment(sampleExperiment({ experiment_id: id }));
      await experimentsOf(store).saveGame(sampleGame({ experiment_id: id }), sampleSheet());
      await experimentsOf(store).saveCode(id, 'key', sampleOutcome());
    }
    for (const id of ['label-1', 'label-2'])
      await judgesOf(store).saveLabel(sampleLabel({ label_id: id, trace_id: id }));
    for (const judge_hash of ['hash-1', 'hash-2'])
      await judgesOf(store).saveCalibration(sampleCalibration({ judge_hash }));
    for (const comparison_id of ['c-1', 'c-2'])
      await comparisonsOf(store).saveComparison(sampleComparison({ comparison_id }));
    return opened;
  }
  const readAll = async (store: Store) => ({
    experiments: await experimentsOf(store).listExperiments(),
    games: await Array.fromAsync(experimentsOf(store).games('exp-1')),
    game: await experimentsOf(store).getGame('exp-1', sampleGame().game_id),
    code: await experimentsOf(store).getCode('exp-1', 'key'),
    labels: await judgesOf(store).listLabels(),
    calibrations: await judgesOf(store).listCalibrations(),
    comparisons: await comparisonsOf(store).listComparisons(),
  });

  test('carry their version, and are read as they were without it, as earlier versions wrote them', async () => {
    await using opened = await filled();
    const { store, sql } = opened;
    const written = await readAll(store);
    expect(written.experiments).toHaveLength(2);
    expect(written.game?.sheet).toEqual(sampleSheet());
    for (const [table, column] of DOCUMENTS) {
      const rows = await sql(`SELECT ${column} AS document FROM %${table}`);
      expect(rows.map(({ document }) => String(document).includes(VERSION))).toEqual([true, true]);
      await sql(`UPDATE %${table} SET ${column} = replace(${column}, '${VERSION},', '')`);
    }
    expect(await readAll(store)).toEqual(written);
  });

  test('of a comparison of judges are read as they were saved, listed newest first, and deleted', async () => {
    await using opened = await open();
    const { saveComparison, getComparison, listComparisons, deleteComparison } = comparisonsOf(opened.store);
    expect(await listComparisons()).toEqual([]);
    const older = sampleComparison({ notes: ['long '.repeat(2000)] });
    const newer = sampleComparison({ comparison_id: 'c2', created_at: '2026-02-01T00:00:00.000Z' });
    for (const each of [newer, older]) await saveComparison(each);
    expect(await listComparisons()).toEqual([newer, older]);
    expect(await getComparison('comparison1')).toEqual(older);
    for (const id of ['comparison1', 'comparison1']) await deleteComparison(id);
    expect(await getComparison('comparison1')).toBeNull();
    expect(await listComparisons()).toEqual([newer]);
  });

  test('of a newer version are left out of lists and named, and are refused if they are asked for', async () => {
    await using opened = await filled();
    const { store, sql } = opened;
    for (const [table, column] of DOCUMENTS) {
      const keys = { labels: 'label_id', calibrations: 'judge_hash', judge_comparisons: 'comparison_id' };
      const key = keys[table as keyof typeof keys] ?? 'experiment_id';
      await sql(
        `UPDATE %${table} SET ${column} = replace(${column}, '${VERSION}', '"document_version":7')
         WHERE ${key} IN ('exp-2', 'label-2', 'hash-2', 'c-2')`,
      );
    }
    const left: unknown[] = [];
    const onUnreadable = (each: unknown) => left.push(each);
    const experiments = await experimentsOf(store).listExperiments({ onUnreadable });
    const labels = await judgesOf(store).listLabels({ onUnreadable });
    const calibrations = await judgesOf(store).listCalibrations({ onUnreadable });
    const comparisons = await comparisonsOf(store).listComparisons({ onUnreadable });
    expect(comparisons.map(({ comparison_id }) => comparison_id)).toEqual(['c-1']);
    expect(experiments.map(({ experiment_id }) => experiment_id)).toEqual(['exp-1']);
    expect(labels.map(({ label_id }) => label_id)).toEqual(['label-1']);
    expect(calibrations.map(({ judge_hash }) => judge_hash)).toEqual(['hash-1']);
    expect(left).toEqual([
      { experiment_id: 'exp-2', why: NEWER },
      { label_id: 'label-2', why: NEWER },
      { judge_hash: 'hash-2', created_at: sampleCalibration().created_at, why: NEWER },
      { comparison_id: 'c-2', created_at: sampleComparison().created_at, why: NEWER },
    ]);
    const refused = { code: 'STORE_UNREADABLE', message: expect.stringContaining(NEWER) };
    await expect(comparisonsOf(store).getComparison('c-2')).rejects.toMatchObject(refused);
    await expect(experimentsOf(store).getExperiment('exp-2')).rejects.toMatchObject(refused);
    await expect(experimentsOf(store).getGame('exp-2', sampleGame().game_id)).rejects.toMatchObject(refused);
    await expect(experimentsOf(store).getCode('exp-2', 'key')).rejects.toMatchObject(refused);
    expect(await experimentsOf(store).getGame('exp-1', sampleGame().game_id)).not.toBeNull();
  });

  test('that are damaged leave the rest of a list as it is', async () => {
    await using opened = await filled();
    const { store, sql } = opened;
    await sql(`UPDATE %experiments SET record = '{' WHERE experiment_id = 'exp-2'`);
    const left: unknown[] = [];
    const experiments = await experimentsOf(store).listExperiments({ onUnreadable: (each) => left.push(each) });
    expect(experiments.map(({ experiment_id }) => experiment_id)).toEqual(['exp-1']);
    expect(left).toEqual([{ experiment_id: 'exp-2', why: 'it is no JSON' }]);
    expect(await experimentLines(store)).toMatchObject({ experiments: [{ experiment_id: 'exp-1' }], unreadable: left });
  });

  test('a calibration from before its judge was described is a judge that nobody knows', async () => {
    await using opened = await filled();
    const { store, sql } = opened;
    await sql(
      `UPDATE %calibrations SET record = replace(record, '"judge":', '"judge_of_today":') WHERE judge_hash = 'hash-2'`,
    );
    expect(await judgeLines(store)).toMatchObject([
      { judge_hash: 'hash-1', unreadable: null },
      { judge_hash: 'hash-2', judge_model: null, calibration: null, unreadable: expect.stringContaining('judge') },
    ]);
  });
});
