import { parseArgs } from 'node:util';
import { viewProject } from '../packages/salvo/src/app/view/viewed-project.ts';
import { viewerApi } from '../packages/salvo/src/server/viewer-app.ts';
import { CLI, type Measured, measureProcess } from './measure-process.ts';
import { type ScaleProject, SHAPES, type Shape, scaleProject } from './scale/scale-project.ts';
import type { ScaleStore } from './scale/scale-store.ts';
import { sqliteScaleStore } from './scale/sqlite-scale-store.ts';

interface ScaleOptions {
  sizes: number[];
  shapes: Shape[];
  /** How many workers perform the trials on PostgreSQL; null for SQLite, where the process of the run does. */
  workers: number | null;
}

const USAGE = 'npm run bench scale -- --trials=1000,10000 --shape=trials,rows,scenarios --store=postgres --workers=2';

/**
 * Runs of up to 100,000 scripted trials: what a trial costs, what grows, and how long it takes to look at the run. Every
 * figure has a baseline of the same run: the bare database that writes or reads the same rows.
 */
export async function benchScale(): Promise<string[]> {
  const { sizes, shapes, workers } = scaleOptions(process.argv.slice(2));
  const lines: string[] = [];
  const openStore = async (project: ScaleProject) =>
    workers === null ? sqliteScaleStore(project.dir) : await postgresStore(workers);
  using smallest = scaleProject('trials', 1);
  await using storeOfSmallest = await openStore(smallest);
  const start = await measureCommands(smallest, storeOfSmallest);
  for (const shape of shapes) {
    const runs: { trials: number; cpuSeconds: number }[] = [];
    // Fewer trials than a scenario or a row has would be another shape.
    for (const trials of sizes.filter((size) => size >= 1000 || shape === 'trials')) {
      using project = scaleProject(shape, trials);
      await using store = await openStore(project);
      const commands = await measureCommands(project, store);
      runs.push({ trials, cpuSeconds: commands.run.cpuSeconds });
      lines.push(`${trials.toLocaleString('en')} trials (${project.words}, ${store.name})`);
      lines.push(...linesOf(commands, { start, trials }).map((line) => `  ${line}`));
    }
    lines.push(...marginalCosts(runs));
  }
  return lines;
}

async function postgresStore(workers: number): Promise<ScaleStore> {
  const { postgresScaleStore } = await import('./scale/postgres-scale-store.ts');
  return await postgresScaleStore({ workers });
}

async function measureCommands(project: ScaleProject, store: ScaleStore) {
  const salvo = (args: string[], more: { live?: boolean } = {}) =>
    measureProcess([CLI, ...args], { cwd: project.dir, env: store.env, usage: true, ...more });
  const args = ['run', '-q', '--seed', '1', '-n', String(project.perCase), ...store.runOptions];
  const run = await salvo(args, { live: true });
  const runId = await store.runId();
  return {
    run,
    bytes: await store.bytes(),
    bareWrite: await store.bareWrite(),
    bareHeads: await store.bareHeads(),
    bareResults: await store.bareResults(),
    report: await salvo(['report', runId]),
    json: await salvo(['report', runId, '--json']),
    history: await salvo(['report', '--history']),
    viewed: await measureViewer(project, store, runId),
    lost: await store.loseTrials(),
    resumed: await salvo(['run', '-q', '--resume', runId, ...store.runOptions]),
  };
}

type Commands = Awaited<ReturnType<typeof measureCommands>>;

/** `start`: the same commands on a run of one trial, which are subtracted before a ratio is formed. */
function linesOf(commands: Commands, { start, trials }: { start: Commands; trials: number }): string[] {
  const { run, bytes, bareWrite, bareHeads, bareResults, report, json, history, viewed, lost, resumed } = commands;
  const beyond = (command: 'run' | 'report' | 'json' | 'resumed') =>
    commands[command].cpuSeconds - start[command].cpuSeconds;
  const each = (seconds: number) => `${figure((seconds / trials) * 1000)} ms`;
  return [
    `run: ${figure(run.seconds)} s, ${each(beyond('run'))} CPU of the client a trial; bare inserts ${each(bareWrite)}: ${ratio(beyond('run'), bareWrite)}`,
    `memory: peak ${run.peakMegabytes.toFixed(0)} MB, of which ${run.liveMegabytes.toFixed(0)} MB were reachable; database ${(bytes / 1e6).toFixed(0)} MB, ${((bytes - start.bytes) / trials / 1000).toFixed(2)} KB a trial`,
    `report ${seconds(report)} (aim: 1 s); bare reading of the statuses: ${ratio(beyond('report'), bareHeads)}`,
    `report --json ${seconds(json)}; bare reading and parsing of the results: ${ratio(beyond('json'), bareResults)}`,
    `report --history ${seconds(history)}`,
    `viewer: list of runs ${viewed.list}, page of the run ${viewed.run} (aim: 1 s), first outcomes ${viewed.outcomes}, last ${viewed.lastOutcomes}, trial ${viewed.trial}`,
    `resume with ${lost.toLocaleString('en')} trials missing ${seconds(resumed)}; bare reading and parsing of the results: ${ratio(beyond('resumed'), bareResults)}`,
  ];
}

/** The requests of the viewer's pages, each the first of its kind to a viewer that has just been started. */
async function measureViewer(project: ScaleProject, store: ScaleStore, runId: string) {
  const timed = async (path: string): Promise<string> => {
    await using viewed = await viewProject({ cwd: project.dir, env: store.env, readOnly: true });
    const api = viewerApi(viewed, { rights: [] });
    const started = performance.now();
    const response = await api.request(path);
    const body = await response.text();
    if (!response.ok) throw new Error(`The viewer answered ${response.status} to ${path}: ${body}`);
    return `${(performance.now() - started).toFixed(0)} ms`;
  };
  const page = `/runs/${encodeURIComponent(runId)}`;
  return {
    list: await timed('/runs'),
    run: await timed(page),
    outcomes: await timed(`${page}/outcomes?limit=2000`),
    lastOutcomes: await timed(`${page}/outcomes?limit=2000&offset=98000`),
    trial: await timed(`${page}/trials/0/0/1`),
  };
}

/** What a further trial costs, from each size to the next: start-up and warming up are not in it. */
function marginalCosts(runs: readonly { trials: number; cpuSeconds: number }[]): string[] {
  const steps = runs.slice(1).map((run, index) => {
    const before = runs[index] ?? run;
    const cost = (run.cpuSeconds - before.cpuSeconds) / (run.trials - before.trials);
    return { cost, words: `from ${before.trials.toLocaleString('en')} to ${run.trials.toLocaleString('en')}` };
  });
  if (steps.length === 0) return [];
  const costs = steps.map(({ cost, words }) => `${figure(cost * 1000)} ms ${words}`).join(', ');
  const [first, last] = [steps[0]?.cost ?? Number.NaN, steps.at(-1)?.cost ?? Number.NaN];
  const growth = steps.length < 2 ? '' : `: ${(last / first).toFixed(2)}x (aim: 1.20x at the most)`;
  return [`CPU of a further trial: ${costs}${growth}`];
}

function figure(value: number): string {
  return value.toFixed(value < 10 ? 2 : 1);
}

function seconds({ seconds: wall, cpuSeconds }: Measured): string {
  return `${figure(wall)} s (${figure(cpuSeconds)} s CPU)`;
}

function ratio(ours: number, bare: number): string {
  return `${(ours / bare).toFixed(1)}x`;
}

function scaleOptions(args: string[]): ScaleOptions {
  const { values } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      trials: { type: 'string', default: '1000,10000,100000' },
      shape: { type: 'string', default: SHAPES.join(',') },
      store: { type: 'string', default: 'sqlite' },
      workers: { type: 'string', default: '1' },
    },
  });
  const sizes = values.trials.split(',').map(Number);
  const shapes = SHAPES.filter((shape) => values.shape.split(',').includes(shape));
  const workers = values.store === 'postgres' ? Number(values.workers) : null;
  if (sizes.some((size) => !Number.isSafeInteger(size) || size < 1) || shapes.length === 0 || workers === 0)
    throw new Error(USAGE);
  return { sizes, shapes, workers };
}
