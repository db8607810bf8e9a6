import { expect, test } from 'vitest';
import { startCli } from '../cli/cli-fixture.ts';
import { sampleScenario } from '../cli/sample-scenario.ts';
import { createDatabase } from '../postgres.ts';
import { startPostgres } from '../postgres-server.ts';
import { projectFixture } from '../project-fixture.ts';

const FEW = 50;
const MANY = 250;
const WORKERS = 2;

test('a free trial by workers takes at most five statements', async () => {
  // It counts what clients send: also the begin and the end of a transaction.
  await using server = await startPostgres({ shared_preload_libraries: 'pg_stat_statements' });
  await using database = await createDatabase(server);
  await database.query('CREATE EXTENSION pg_stat_statements');
  await using project = await projectFixture({ 's.yaml': sampleScenario() });
  await using elsewhere = await projectFixture();
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: elsewhere.path('cache') };
  const workers = Array.from({ length: WORKERS }, () => startCli(['worker', '-c', '8'], { cwd: elsewhere.root, env }));
  try {
    await Promise.all(workers.map((worker) => worker.untilStderrHas('takes up to')));
    const statementsOf = async (trials: number): Promise<number> => {
      await database.query('SELECT pg_stat_statements_reset()');
      const { code, stderr } = await startCli(['run', 's.yaml', '-n', `${trials}`, '-q'], { cwd: project.root, env })
        .result;
      expect([code, stderr]).toEqual([0, '']);
      const [row] = await database.query('SELECT sum(calls)::int AS calls FROM pg_stat_statements');
      return Number(row?.calls);
    };
    // What a run costs whatever its size: its bundle, its record, its report.
    const few = await statementsOf(FEW);
    const many = await statementsOf(MANY);
    expect((many - few) / (MANY - FEW)).toBeLessThanOrEqual(5);
  } finally {
    for (const { child } of workers) child.kill('SIGTERM');
    await Promise.all(workers.map(({ result }) => result));
  }
});
