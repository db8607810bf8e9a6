import { setTimeout as sleep } from 'node:timers/promises';
import { type ProgramResult, type StartedCli, startCli } from '../../test/cli/cli-fixture.ts';
import { type PaidServer, startPaidServer } from '../../test/faults/paid-server.ts';
import { createDatabase, type TestDatabase } from '../../test/postgres.ts';
import { startPostgres } from '../../test/postgres-server.ts';
import { projectFixture } from '../../test/project-fixture.ts';
import { ChaosFaults, type FaultName, type Victims } from './chaos-faults.ts';
import type { ChaosProject } from './chaos-project.ts';

export interface ChaosOptions {
  project: ChaosProject;
  /** How many trials, or games. */
  units: number;
  workers: number;
  /** Trials or games at once of each worker. */
  concurrency: number;
  faults: number;
  seed: number;
  /** The run must have ended after this time. */
  minutes: number;
  onFault?: ((number: number, fault: FaultName) => void) | undefined;
}

/** A run that has ended in spite of all faults. */
export interface ChaosRun {
  faults: ReadonlyMap<FaultName, number>;
  seconds: number;
  /** What the last process printed that followed the run; null if the run did not end in time. */
  result: ProgramResult | null;
  /** What is stored, as the command `report` of the project prints it when all workers have left: those that were paused add what they had paid. */
  report: ProgramResult | null;
  /** Of the workers that were alive at the end and were asked to leave. */
  workerCodes: (number | null)[];
  /** What all programs have said that should not be said. */
  complaints: string[];
  /** How often another process had to follow the run, because the one before it was killed or had lost it. */
  attached: number;
  server: PaidServer;
  database: TestDatabase;
}

const COMPLAINT = /Internal error|Unhandled|^ {4}at /m;

/** Runs trials by workers while processes are killed and paused and the database goes away, and inspects what remains. */
export async function runChaos<T>(options: ChaosOptions, inspect: (run: ChaosRun) => Promise<T>): Promise<T> {
  const { files, run, report: show } = options.project;
  await using project = await projectFixture(files);
  await using elsewhere = await projectFixture();
  await using server = await startPaidServer();
  await using postgres = await startPostgres();
  await using database = await createDatabase(postgres);
  await using programs = startedPrograms({
    ...server.env,
    SALVO_DATABASE_URL: database.url,
    SALVO_CACHE_DIR: elsewhere.path('cache'),
  });
  const began = performance.now();
  const startWorker = (): StartedCli => programs.start(['worker', '-c', `${options.concurrency}`], elsewhere.root);
  let client = programs.start(run, project.root);
  const workers = Array.from({ length: options.workers }, startWorker);
  const victims: Victims = { postgres, database, workers, startWorker, client: () => client };
  const faults = new ChaosFaults(victims, options.seed);
  let attached = 0;
  const over = new AbortController();
  const untilVerdict = async (): Promise<ProgramResult> => {
    for (;;) {
      const result = await client.result;
      // One that has lost the run to another process, or was killed, says nothing about its end.
      if ((result.signal === null && result.stdout !== '') || over.signal.aborted) return result;
      attached += 1;
      client = programs.start(['attach', await runIdIn(database), '--json'], elsewhere.root);
    }
  };
  const deadline = sleep(options.minutes * 60_000, null, { signal: over.signal, ref: false }).catch(() => null);
  const ending = untilVerdict();
  const isOver = ending.then(() => true);
  const causing = causeFaults(options, { server, faults, isOver, signal: over.signal });
  const result = await Promise.race([ending, deadline]);
  over.abort();
  await causing;
  await faults.allResumed();
  for (const { child } of workers) child.kill('SIGTERM');
  if (result === null) await programs[Symbol.asyncDispose]();
  const workerCodes = (await Promise.all(workers.map((worker) => worker.result))).map(({ code }) => code);
  const seconds = (performance.now() - began) / 1000;
  const complaints = programs.said().filter((text) => COMPLAINT.test(text));
  const report = result && (await programs.start(show, elsewhere.root).result);
  const how = { faults: faults.counts, seconds, result, report, workerCodes, complaints, attached };
  return await inspect({ server, database, ...how });
}

/** One fault after the other, with equally many calls between them. */
async function causeFaults(
  { project: { caller }, units, faults: count, onFault }: ChaosOptions,
  {
    server,
    faults,
    isOver,
    signal,
  }: {
    server: PaidServer;
    faults: ChaosFaults;
    isOver: Promise<boolean>;
    signal: AbortSignal;
  },
): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const hold = server.hold(caller, { after: Math.floor(units / (count + 1)) });
    const isEarly = faults.isBetweenCalls();
    // Nobody calls any more: then the run does not end in time, and that is what is reported.
    const isCalled = hold.arrived(1).then(
      () => true,
      () => false,
    );
    const hasEnded = !(await Promise.race([isCalled, isOver.then(() => false)]));
    if (isEarly || hasEnded) hold.release();
    if (hasEnded || signal.aborted) return;
    onFault?.(number, await faults.next());
    hold.release();
  }
}

function startedPrograms(env: Record<string, string>) {
  const started: StartedCli[] = [];
  return {
    start(args: string[], cwd: string): StartedCli {
      const cli = startCli(args, { cwd, env });
      started.push(cli);
      return cli;
    },
    said: () => started.map(({ child, stderr }) => `${child.spawnargs.slice(2).join(' ')}: ${stderr()}`),
    async [Symbol.asyncDispose]() {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ result }) => result));
    },
  };
}

/** The database may be down at the moment. */
async function runIdIn(database: TestDatabase): Promise<string> {
  for (;;) {
    const [run] = await database
      .query(`SELECT run_id AS id FROM salvo.runs UNION ALL SELECT experiment_id FROM salvo.experiments`)
      .catch(() => []);
    if (run) return String(run.id);
    await sleep(200);
  }
}
