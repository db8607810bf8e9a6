import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDatabase } from '../../postgres.ts';
import { startPostgres } from '../../postgres-server.ts';
import { paidProject } from '../paid-server.ts';
import { expectNothingLeft, FILES, RUN, startMachines, undisturbed, VOTES, verdictOf } from './machines.ts';
import { hasPooler, startPooler } from './pooler.ts';

const GAMES = 2;
const files = {
  ...FILES,
  'salvo.yaml': `default_adapter: openai\n${paidProject['salvo.yaml']}`,
  'e.yaml': JSON.stringify({
    ...{ name: 'games', tasks: { sample: GAMES }, red: ['llm:red-model'], blue: ['llm:blue-model'] },
    ...{ llm: ['judge-model'], votes: 1, matcher: 'documented', concurrency: 1, seed: 1 },
  }),
};
/** Longer than a lease. */
const OUTAGE_MS = 12_000;

test.skipIf(!hasPooler)(
  'behind PgBouncer in transaction mode: a worker is killed, the database is gone for a while, and an experiment',
  async ({ task }) => {
    task.meta.cases = 3;
    const expected = await undisturbed(files);
    await using postgres = await startPostgres();
    const database = await createDatabase(postgres);
    await using pooler = await startPooler(database.url);
    await using machines = await startMachines({ files, database: { ...database, url: pooler.url } });
    const { server } = machines;

    const hold = server.hold('judge');
    const client = machines.client(RUN);
    const [killed] = await Promise.all([machines.worker(), machines.worker()]);
    await hold.arrived(2 * VOTES);
    killed.child.kill('SIGKILL');
    await killed.result;
    hold.release();
    expect(verdictOf(await client.result)).toEqual(expected);
    await expectNothingLeft(machines);

    const held = server.hold('judge');
    const second = machines.client(RUN);
    await held.arrived(2 * VOTES);
    await postgres.stop();
    held.release();
    await sleep(OUTAGE_MS);
    await postgres.start();
    expect(verdictOf(await second.result)).toEqual(expected);
    await expectNothingLeft(machines);

    const experiment = await machines.client(['experiment', 'e.yaml', '--json']).result;
    expect(experiment.stderr).not.toContain('    at ');
    expect(JSON.parse(experiment.stdout).games).toMatchObject({ planned: GAMES, scored: GAMES });
    await expectNothingLeft(machines);
  },
  240_000,
);
