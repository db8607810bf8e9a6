import { parseArgs } from 'node:util';
import { CLI, type Measured, measureProcess } from './measure-process.ts';
import { EITHER_VERDICT } from './scripted-project.ts';
import {
  type Arrangement,
  CONCURRENCY,
  idleWorkers,
  type Performed,
  performRun,
  startWorkers,
  type Task,
} from './workers/arrangements.ts';
import { type BenchServer, startBenchServer } from './workers/bench-server.ts';
import { leftInQueue } from './workers/left-in-queue.ts';
import { benchOutage } from './workers/outage.ts';

const PARTS = ['slow', 'free', 'growth', 'idle', 'outage'];
const USAGE =
  'npm run bench workers -- --part=slow,free,growth,idle,outage --trials=1000,10000 --slow-trials=300 --free-trials=10000 --workers=1,2,8 --outage=600';
const MODEL_MS = 50;
/** Two cores are enough for eight workers that have two trials at once: 320 trials a second at the most. */
const SLOW_AT_ONCE = 2;
/** As the guide starts workers. */
const FREE_AT_ONCE = 16;
const IDLE = 4;
const OUTAGE_TRIALS = 1600;

/**
 * The same run in one process and by workers. Once the model is slow, so that a further worker should bring as much as
 * the first; once it takes no time, so that what remains is what Salvo and the database cost.
 */
export async function benchWorkers(): Promise<string[]> {
  const { parts, sizes, slowTrials, freeTrials, workers, outage } = workerOptions(process.argv.slice(2));
  await using server = await startBenchServer();
  const arrangements: Arrangement[] = [
    { name: 'SQLite, one process', store: 'sqlite', workers: 0 },
    { name: 'PostgreSQL, one process', store: 'postgres', workers: 0 },
    ...workers.map(
      (count): Arrangement => ({ name: `PostgreSQL, workers: ${count}`, store: 'postgres', workers: count }),
    ),
  ];
  const lines: string[] = [];
  if (parts.has('slow')) {
    lines.push(
      `a model of ${MODEL_MS} ms, ${SLOW_AT_ONCE} trials at once in each process, ${slowTrials} trials for each`,
    );
    const task = { server, trials: slowTrials, delayMs: MODEL_MS, concurrency: SLOW_AT_ONCE };
    lines.push(...(await compared(arrangements, task)));
  }
  if (parts.has('free')) {
    const few = arrangements.filter(({ workers: count }) => count <= 2);
    lines.push(`free trials, ${freeTrials.toLocaleString('en')} of them, ${FREE_AT_ONCE} at once in each process`);
    lines.push(...(await compared(few, { server, trials: freeTrials, concurrency: FREE_AT_ONCE })));
  }
  if (parts.has('growth')) lines.push(...(await grown(server, sizes)));
  if (parts.has('idle')) lines.push(await waiting(server));
  if (parts.has('outage'))
    lines.push(...(await benchOutage(server, { seconds: outage, trials: OUTAGE_TRIALS, delayMs: MODEL_MS })));
  return lines;
}

async function waiting(server: BenchServer): Promise<string> {
  const { connections, cpuSecondsASecond } = await idleWorkers(IDLE, server);
  const cpuMs = (cpuSecondsASecond / IDLE) * 1000;
  return `a worker that waits: ${(connections / IDLE).toFixed(1)} connections, ${cpuMs.toFixed(1)} ms CPU of the database a second`;
}

/** What the trials took, without what a run of one trial takes. */
interface Beyond {
  perSecond: number;
  cpuMs: { client: number; workers: number; database: number };
  statements: number;
  performed: Performed;
}

async function beyondOneTrial(arrangement: Arrangement, task: Task): Promise<Beyond> {
  await using first = await performRun(arrangement, { ...task, trials: 1 });
  await using all = await performRun(arrangement, task);
  return difference(all.performed, first.performed, task.trials - 1);
}

function difference(all: Performed, before: Performed, trials: number): Beyond {
  const a = (figure: (performed: Performed) => number) => (figure(all) - figure(before)) / trials;
  return {
    perSecond: all.perSecond,
    cpuMs: {
      client: 1000 * a(({ client }) => client.cpuSeconds),
      workers: 1000 * a(({ workers }) => workers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)),
      database: 1000 * a(({ databaseCpuSeconds }) => databaseCpuSeconds),
    },
    statements: a(({ statements }) => statements),
    performed: all,
  };
}

async function compared(arrangements: readonly Arrangement[], task: Task): Promise<string[]> {
  const lines: string[] = [];
  let onSqlite = Number.NaN;
  let oneWorker = Number.NaN;
  for (const arrangement of arrangements) {
    const { workers, store, name } = arrangement;
    // A model that takes time is waited for as long by each arrangement.
    const trials = task.delayMs ? task.trials * Math.max(workers, 1) : task.trials;
    const beyond = await beyondOneTrial(arrangement, { ...task, trials });
    if (store === 'sqlite') onSqlite = beyond.perSecond;
    if (workers === 1) oneWorker = beyond.perSecond;
    const ratios = [
      `${(beyond.perSecond / onSqlite).toFixed(2)}x SQLite`,
      ...(workers > 1 ? [`${(beyond.perSecond / oneWorker).toFixed(2)}x one worker`] : []),
      ...(task.delayMs ? [`${percent(beyond.perSecond / idealPerSecond(arrangement, task))} of the ideal`] : []),
    ];
    const { connections } = beyond.performed;
    const used =
      store === 'sqlite' ? [] : [`${beyond.statements.toFixed(2)} statements a trial`, `${connections} connections`];
    const facts = [
      `${beyond.perSecond.toFixed(0)} trials/s, ${ratios.join(', ')}${aimOf(arrangement, task)}`,
      costs(beyond),
      ...used,
    ];
    lines.push(`  ${name}: ${facts.join('; ')}`);
  }
  return lines;
}

function aimOf({ workers }: Arrangement, { delayMs }: Task): string {
  const aim = delayMs ? AIMS_TO_ONE_WORKER[workers] : workers === 2 ? '0.50x SQLite' : undefined;
  return aim === undefined ? '' : ` (aim: ${aim})`;
}

const AIMS_TO_ONE_WORKER: Record<number, string> = { 2: '1.80x one worker', 8: '6.00x one worker' };

/** If nothing took time but the model. */
function idealPerSecond({ workers }: Arrangement, { delayMs = 0, concurrency = CONCURRENCY }: Task): number {
  return (Math.max(workers, 1) * concurrency * 1000) / delayMs;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)}%`;
}

function costs({ cpuMs: { client, workers, database }, performed }: Beyond): string {
  const known = [
    `client ${client.toFixed(2)}`,
    ...(performed.workers.length > 0 ? [`workers ${workers.toFixed(2)}`] : []),
    ...(Number.isNaN(database) ? [] : [`database ${database.toFixed(2)}`]),
  ];
  return `CPU ms a trial: ${known.join(', ')}`;
}

/** One worker, with more and more trials. */
async function grown(server: BenchServer, sizes: readonly number[]): Promise<string[]> {
  const arrangement: Arrangement = { name: 'one worker', store: 'postgres', workers: 1 };
  const lines: string[] = [];
  const costOf: number[] = [];
  await using smallest = await performRun(arrangement, { server, trials: 1, live: true });
  let before = { performed: smallest.performed, trials: 1 };
  for (const trials of sizes) {
    await using run = await performRun(arrangement, { server, trials, live: true });
    const { performed } = run;
    const beyond = difference(performed, before.performed, trials - before.trials);
    const { client, workers, database } = beyond.cpuMs;
    costOf.push(client + workers + (Number.isNaN(database) ? 0 : database));
    const size = (performed.databaseBytes - smallest.performed.databaseBytes) / trials / 1000;
    lines.push(
      `${trials.toLocaleString('en')} trials by one worker: ${performed.seconds.toFixed(1)} s; ${costs(beyond)}, beyond the size before`,
      `  ${memory('client', performed.client)}, ${memory('worker', performed.workers[0])}; database ${size.toFixed(1)} KB a trial`,
    );
    await using onSqlite = await performRun(
      { name: 'SQLite', store: 'sqlite', workers: 0 },
      { server, trials, live: true },
    );
    lines.push(
      `  ${(performed.seconds / onSqlite.performed.seconds).toFixed(1)}x the time of one process on SQLite (${onSqlite.performed.seconds.toFixed(1)} s, ${memory('process', onSqlite.performed.client)}); ${run.database ? await leftInQueue(run.database) : ''}`,
    );
    before = { performed, trials };
    if (trials === sizes.at(-1)) lines.push(...(await goneOn(run, trials)));
  }
  // The first step includes warming up.
  const [, first = Number.NaN] = costOf;
  const last = costOf.at(-1) ?? Number.NaN;
  if (costOf.length > 2)
    lines.push(
      `CPU of a further trial: ${(last / first).toFixed(2)}x from the second size to the last (aim: 1.20x at the most)`,
    );
  return lines;
}

function memory(name: string, { peakMegabytes, liveMegabytes }: Measured = NOTHING): string {
  return `${name} peak ${peakMegabytes.toFixed(0)} MB, ${liveMegabytes.toFixed(0)} MB reachable`;
}

const NOTHING: Measured = {
  seconds: Number.NaN,
  cpuSeconds: Number.NaN,
  peakMegabytes: Number.NaN,
  liveMegabytes: Number.NaN,
};

/** One trial in a hundred is lost. The rest of the run is left to workers, and another client attaches to it. */
async function goneOn(run: Awaited<ReturnType<typeof performRun>>, trials: number): Promise<string[]> {
  const { database, dir, env } = run;
  if (!database) return [];
  await database.query("UPDATE salvo.runs SET status = 'interrupted'");
  const lost = await database.query('DELETE FROM salvo.trials WHERE trial_number % 100 = 7 RETURNING 1');
  const [stored] = await database.query('SELECT run_id FROM salvo.runs');
  const runId = String(stored?.run_id);
  const place = { cwd: dir, env, usage: true };
  const left = await measureProcess([CLI, 'run', '-q', '--resume', runId, '--detach'], place);
  const workers = await startWorkers(1, { ...place, database });
  const attached = await measureProcess([CLI, 'attach', runId, '-q'], { ...place, expect: EITHER_VERDICT });
  await workers.leave();
  return [
    `  resumed with ${lost.length.toLocaleString('en')} of ${trials.toLocaleString('en')} trials missing: left to workers after ${left.seconds.toFixed(1)} s (${left.cpuSeconds.toFixed(1)} s CPU)`,
    `  attached to it, until the report: ${attached.seconds.toFixed(1)} s (${attached.cpuSeconds.toFixed(1)} s CPU)`,
  ];
}

function workerOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      part: { type: 'string', default: PARTS.join(',') },
      trials: { type: 'string', default: '1000,10000' },
      'slow-trials': { type: 'string', default: '300' },
      'free-trials': { type: 'string', default: '10000' },
      workers: { type: 'string', default: '1,2,8' },
      outage: { type: 'string', default: '10' },
    },
  });
  const numbers = (list: string) => list.split(',').map(Number);
  const sizes = numbers(values.trials).toSorted((one, other) => one - other);
  const workers = numbers(values.workers);
  const slowTrials = Number(values['slow-trials']);
  const freeTrials = Number(values['free-trials']);
  const outage = Number(values.outage);
  const parts = new Set(values.part.split(','));
  const isKnown = parts.isSubsetOf(new Set(PARTS));
  if (
    !isKnown ||
    [...sizes, ...workers, slowTrials, freeTrials, outage].some((each) => !Number.isSafeInteger(each) || each < 1)
  )
    throw new Error(USAGE);
  return { parts, sizes, slowTrials, freeTrials, workers, outage };
}
