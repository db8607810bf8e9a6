import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, measureProcess, startMeasured } from '../measure-process.ts';
import { EITHER_VERDICT, scriptedProject } from '../scripted-project.ts';
import { CONCURRENCY, startWorkers } from './arrangements.ts';
import type { BenchServer } from './bench-server.ts';
import { leftInQueue } from './left-in-queue.ts';

const WORKERS = 2;

/** A run by workers, with the database gone for so many seconds in the middle of it. */
export async function benchOutage(
  server: BenchServer,
  { seconds, trials, delayMs }: { seconds: number; trials: number; delayMs: number },
): Promise<string[]> {
  using project = scriptedProject({ delayMs });
  await using database = await server.createDatabase();
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: join(project.dir, 'cache') };
  const place = { cwd: project.dir, env, usage: true };
  await measureProcess([CLI, 'db', 'migrate'], place);
  const workers = await startWorkers(WORKERS, { ...place, database });
  const args = ['run', project.scenario, '-q', '--seed', '1', '-n', String(trials), '-c', String(CONCURRENCY)];
  const client = startMeasured([CLI, ...args], { ...place, expect: EITHER_VERDICT });
  const stored = async () => Number((await database.query('SELECT count(status) AS n FROM salvo.trials'))[0]?.n);
  while ((await stored()) < trials / 4) await sleep(50);
  await server.outage(seconds * 1000);
  const before = await stored();
  const { seconds: took, cpuSeconds, peakMegabytes } = await client.ended;
  const result = await stored();
  const used = await workers.leave();
  const [runs] = await database.query('SELECT count(*) AS runs, min(status) AS status FROM salvo.runs');
  return [
    `an outage of ${seconds} s in the middle of a run by ${WORKERS} workers: ${result} of ${trials} trials stored (${before} before it), ${runs?.runs} run ${runs?.status}, exit code as without it`,
    `  ${took.toFixed(1)} s, so ${(took - seconds).toFixed(1)} s without the outage; client ${cpuSeconds.toFixed(1)} s CPU, peak ${peakMegabytes.toFixed(0)} MB; workers peak ${used.map((each) => each.peakMegabytes.toFixed(0)).join(' and ')} MB; ${await leftInQueue(database)}`,
  ];
}
