import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { costOfAgents, costOfJudges } from '../../../packages/salvo/src/run/record/run-document.ts';
import { knownUsd } from '../../../packages/salvo/src/stats/cost.ts';
import { documentOf, runProgram, type StartedCli, startCli } from '../../cli/cli-fixture.ts';
import { sampleScenario } from '../../cli/sample-scenario.ts';
import { createDatabase, type TestDatabase } from '../../postgres.ts';
import { type ProjectFixture, projectFixture } from '../../project-fixture.ts';
import { CALL_USD, PATIENCE_MS, type PaidServer, paidProject, startPaidServer } from '../paid-server.ts';
import { queueState } from './queue-state.ts';

/** A little less than a test may take. */
const STUCK_MS = 290_000;
export const TRIALS = 8;
export const VOTES = 3;
const criteria = [{ name: 'polite', description: 'Says please.', weight: 1 }];
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ n: index + 1, name: `${index + 1}` }));

/** One trial for each number. The judge is against some of them, so that trials differ. */
export const FILES = {
  ...paidProject,
  's.yaml': sampleScenario({
    adapter: 'openai',
    model: 'agent-model',
    script: undefined,
    prompt: 'Number {{n}}',
    data: numbers(TRIALS),
    assertions: [{ type: 'judge', criteria }],
    min_pass_rate: 0.5,
  }),
};
export const RUN = ['run', 's.yaml', '-n', '1', '--json'];

/** Several machines: a client in the folder of a project, workers in empty folders, one database, one provider. */
export interface Machines extends AsyncDisposable {
  server: PaidServer;
  database: TestDatabase;
  project: ProjectFixture;
  /** In the folder of the project. */
  client(args?: string[], env?: Record<string, string>): StartedCli;
  /** In an empty folder. */
  elsewhere(args: string[], env?: Record<string, string>): StartedCli;
  /** A worker that has joined. */
  worker(args?: string[], env?: Record<string, string>): Promise<StartedCli>;
  /** Results that are stored. */
  results(): Promise<number>;
  /** Resolves when the query returns a row, and fails if it never does. */
  untilRow(sql: string): Promise<void>;
  /** Nobody else can write to the table until the returned function is called. */
  lock(table: string): Promise<() => Promise<void>>;
}

export async function startMachines(
  options: {
    files?: Record<string, string>;
    database?: TestDatabase;
    /** The programs of the client and of the workers, if they are of another version. */
    clientMain?: string;
    workerMain?: string;
  } = {},
): Promise<Machines> {
  const [project, empty, database, server] = await Promise.all([
    projectFixture(options.files ?? FILES),
    projectFixture(),
    options.database ?? createDatabase(),
    startPaidServer(),
  ]);
  const started: StartedCli[] = [];
  /** What all programs have said. One of them may have ended, so that the others wait for ever. */
  const said = (): string =>
    started
      .map(({ child, stderr }) => `${child.spawnargs.slice(2).join(' ')}: exit code ${child.exitCode}\n${stderr()}`)
      .join('\n');
  // A test that takes too long is not told what it waits for.
  const watchdog = setTimeout(async () => console.error(`${said()}\n${await queueState(database)}`), STUCK_MS);
  const { hold } = server;
  server.hold = (...args) => {
    const held = hold(...args);
    const arrived = (count: number) =>
      held.arrived(count).catch((cause: unknown) => {
        throw new Error(`${cause}\n${said()}`);
      });
    return { ...held, arrived };
  };
  const start = (args: string[], cwd: string, env: Record<string, string> = {}): StartedCli => {
    const SALVO_CACHE_DIR = empty.path('cache');
    const cli = startCli(args, {
      cwd,
      main: cwd === project.root ? options.clientMain : options.workerMain,
      env: { ...server.env, SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR, ...env },
    });
    started.push(cli);
    return cli;
  };
  const results = async (): Promise<number> => {
    const [row] = await database.query('SELECT count(*) AS count FROM salvo.trials WHERE result IS NOT NULL');
    return Number(row?.count);
  };
  return {
    server,
    database,
    project,
    results,
    client: (args = RUN, env = {}) => start(args, project.root, env),
    elsewhere: (args, env) => start(args, empty.root, env),
    async worker(args = [], env = {}) {
      const worker = start(['worker', '-c', '2', ...args], empty.root, env);
      await worker.untilStderrHas('takes up to');
      return worker;
    },
    async untilRow(sql) {
      const deadline = performance.now() + PATIENCE_MS;
      while (performance.now() < deadline) {
        // The tables may not be there yet.
        const rows = await database.query(sql).catch(() => []);
        if (rows.length > 0) return;
        await sleep(100);
      }
      throw new Error(`There is still no row: ${sql}\n${said()}`);
    },
    async lock(table) {
      const client = new pg.Client({ connectionString: database.url, application_name: 'test' });
      await client.connect();
      await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
      return async () => {
        await client.query('COMMIT');
        await client.end();
      };
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(watchdog);
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ result }) => result));
      await server[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
      await empty[Symbol.asyncDispose]();
    },
  };
}

export const JOBS = 'SELECT FROM salvo.jobs';

/** What a run has to say, whatever happened to its machines: which trials there are, and what they were judged. */
export function verdictOf(result: { code: number | null; stdout: string; stderr: string }) {
  if (result.stdout === '') throw new Error(`No document, exit code ${result.code}:\n${result.stderr}`);
  const { verdict, scenarios } = documentOf(result);
  const trials = scenarios.flatMap((scenario) => scenario.trials);
  return {
    code: result.code,
    verdict,
    trials: trials.map((trial) => [trial.case, trial.trial_number, trial.status, trial.score]),
    counts: scenarios.map(({ trials_total, trials_scored, trials_passed }) => [
      trials_total,
      trials_scored,
      trials_passed,
    ]),
  };
}

/** The same run in one process, which nothing disturbs. */
export async function undisturbed(files: Record<string, string> = FILES, args = RUN) {
  await using project = await projectFixture(files);
  await using server = await startPaidServer();
  return verdictOf(await runProgram(args, { cwd: project.root, env: server.env }));
}

/** Calls on the bill of a run. */
export function callsOnBill(result: { stdout: string }): number {
  const usd = documentOf(result).scenarios.reduce(
    (sum, summary) => sum + knownUsd(costOfAgents(summary)) + knownUsd(costOfJudges(summary)),
    0,
  );
  return Math.round(usd / CALL_USD);
}

export function charged({ calls }: PaidServer): number {
  return calls.agent + calls.judge;
}

/** An order that has ended leaves no job, no file and no lease. */
export async function expectNothingLeft({ database }: Machines): Promise<void> {
  const [left] = await database.query(`SELECT
    (SELECT count(*) FROM salvo.jobs)::int AS jobs,
    (SELECT count(*) FROM salvo.work_orders)::int AS orders,
    (SELECT count(*) FROM salvo.leases WHERE holder IS NOT NULL)::int AS leases`);
  expect(left).toEqual({ jobs: 0, orders: 0, leases: 0 });
}
