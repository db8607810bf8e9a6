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
  'npm run bench workers -- --part=slow,free,growth,idle,outage --trials=1000,10000 --slow-trials=400 --workers=1,2 --outage=600';
const MODEL_MS = 50;
const IDLE = 4;

/**
 * The same run in one process and by workers. Once the model is slow, so that a further worker should bring as much as
 * the first; once it takes no time, so that what remains is what Salvo and the database cost.
 */
export async function benchWorkers(): Promise<string[]> {
  const { parts, sizes, slowTrials, workers, outage } = workerOptions(process.argv.slice(2));
  await using server = await startBenchServer();
  const arrangements: Arrangement[] = [
    { name: 'SQLite, one process', store: 'sqlite', workers: 0 },
    { name: 'PostgreSQL, one process', store: 'postgres', workers: 0 },
    ...workers.map(
      (count): Arrangement => ({ name: `PostgreSQL, workers: ${count}`, store: 'postgres', workers: count }),
    ),
  ];
  const lines: string[] = [];
  const [smallest = 1000] = sizes;
  if (parts.has('slow')) {
    lines.push(`model of ${MODEL_MS} ms, ${slowTrials} trials, ${CONCURRENCY} at once in each process`);
    lines.push(...(await compared(arrangements, { server, trials: slowTrials, delayMs: MODEL_MS })));
  }
  if (parts.has('free')) {
    lines.push(`free trials, ${smallest.toLocaleString('en')} of them`);
    lines.push(...(await compared(arrangements, { server, trials: smallest })));
  }
  if (parts.has('growth')) lines.push(...(await grown(server, sizes)));
  if (parts.has('idle')) lines.push(await waiting(server));
  if (parts.has('outage'))
    lines.push(...(await benchOutage(server, { seconds: outage, trials: slowTrials, delayMs: MODEL_MS })));
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
  performed: Performed;
}

async function beyondOneTrial(arrangement: Arrangement, task: Task): Promise<Beyond> {
  await using first = await performRun(arrangement, { ...task, trials: 1 });
  await using all = await performRun(arrangement, task);
  return difference(all.performed, first.performed, task.trials);
}

function difference(all: Performed, before: Performed, trials: number): Beyond {
  const ms = (cpuSeconds: (performed: Performed) => number) => ((cpuSeconds(all) - cpuSeconds(before)) / trials) * 1000;
  return {
    perSecond: all.perSecond,
    cpuMs: {
      client: ms(({ client }) => client.cpuSeconds),
      workers: ms(({ workers }) => workers.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)),
      database: ms(({ databaseCpuSeconds }) => databaseCpuSeconds),
    },
    performed: all,
  };
}

async function compared(arrangements: readonly Arrangement[], task: Task): Promise<string[]> {
  const lines: string[] = [];
  let baseline = Number.NaN;
  let oneWorker = Number.NaN;
  for (const arrangement of arrangements) {
    const beyond = await beyondOneTrial(arrangement, task);
    if (arrangement.store === 'sqlite') baseline = beyond.perSecond;
    if (arrangement.workers === 1) oneWorker = beyond.perSecond;
    const ratios = [
      `${(beyond.perSecond / baseline).toFixed(2)}x SQLite`,
      ...(arrangement.workers > 1 ? [`${(beyond.perSecond / oneWorker).toFixed(2)}x one worker`] : []),
      ...(task.delayMs
        ? [`${percent(beyond.perSecond / idealPerSecond(arrangement, task.delayMs))} of the ideal`]
        : []),
    ];
    const { connections } = beyond.performed;
    const aim = task.delayMs && arrangement.workers === 2 ? ' (aim: 1.80x)' : '';
    lines.push(
      `  ${arrangement.name}: ${beyond.perSecond.toFixed(0)} trials/s, ${ratios.join(', ')}${aim}; ${costs(beyond)}${connections > 0 ? `; connections ${connections}` : ''}`,
    );
  }
  return lines;
}

/** If nothing took time but the model. */
function idealPerSecond({ workers }: Arrangement, delayMs: number): number {
  return (Math.max(workers, 1) * CONCURRENCY * 1000) / delayMs;
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
      trials: { type: 'string', default: '1000,10000,100000' },
      'slow-trials': { type: 'string', default: '800' },
      workers: { type: 'string', default: '1,2,4,8' },
      outage: { type: 'string', default: '30' },
    },
  });
  const numbers = (list: string) => list.split(',').map(Number);
  const sizes = numbers(values.trials).toSorted((one, other) => one - other);
  const workers = numbers(values.workers);
  const slowTrials = Number(values['slow-trials']);
  const outage = Number(values.outage);
  const parts = new Set(values.part.split(','));
  const isKnown = parts.isSubsetOf(new Set(PARTS));
  if (!isKnown || [...sizes, ...workers, slowTrials, outage].some((each) => !Number.isSafeInteger(each) || each < 1))
    throw new Error(USAGE);
  return { parts, sizes, slowTrials, workers, outage };
}
