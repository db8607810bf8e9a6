import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { restoreDatabase, restoreFile } from '../../../../test/store/versions/restore-store.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openSqliteStore } from '../../../salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../salvo/src/store/store.ts';
import { openPostgresStore } from '../../../salvo-postgres/src/store/open-postgres-store.ts';
import { experimentsOf } from '../../src/store/experiment-tables.ts';
import { sampleExperiment, sampleGame } from '../arena-experiment/sample-experiment.ts';

const FOLDER = path.join(import.meta.dirname, '../../../../test/store/versions');
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const DATABASES = readdirSync(path.join(FOLDER, 'postgres'));

/** How many games each experiment has. Everything can be read. */
async function gamesIn(store: Store): Promise<Record<string, number>> {
  const experiments = experimentsOf(store);
  const counts: Record<string, number> = {};
  const onUnreadable = ({ why }: { why: string }) => expect.unreachable(why);
  for (const { experiment_id } of await experiments.listExperiments({ onUnreadable })) {
    counts[experiment_id] = (await Array.fromAsync(experiments.games(experiment_id))).length;
  }
  return counts;
}

function storedGames(rows: Record<string, unknown>[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ id, games }) => [String(id), Number(games)]));
}

const COUNT = (prefix: string) => `SELECT experiment_id AS id, count(game_id) AS games
  FROM ${prefix}experiments LEFT JOIN ${prefix}games USING (experiment_id) GROUP BY experiment_id`;

/** New ones can be stored beside those of an earlier version. */
async function expectWritable(store: Store): Promise<void> {
  await experimentsOf(store).saveExperiment(sampleExperiment({ experiment_id: 'new' }));
  await experimentsOf(store).saveGame(sampleGame({ experiment_id: 'new' }));
  expect(await gamesIn(store)).toMatchObject({ new: 1 });
}

test.each(FILES)('the experiments of the store %s are all there', async (name) => {
  using _ = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const file = path.join(await temporaryFolder(), 'salvo.db');
  const stored = restoreFile(name, file, (database) => {
    const there = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'experiments'").get();
    return there ? storedGames(database.prepare(COUNT('')).all()) : {};
  });
  const store = await openSqliteStore({ file });
  expect(await gamesIn(store)).toEqual(stored);
  await expectWritable(store);
  await store.close();
});

test.each(DATABASES)('the experiments of the database %s are all there', async (name) => {
  using _ = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await using database = await restoreDatabase(name);
  const stored = storedGames(await database.query(COUNT('salvo.')));
  const store = await openPostgresStore({ url: database.url });
  expect(await gamesIn(store)).toEqual(stored);
  await expectWritable(store);
  await store.close();
});
