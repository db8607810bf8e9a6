import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { type ProjectFixture, projectFixture } from '../../../../test/project-fixture.ts';
import { openProjectStore } from '../../../salvo/src/app/project/open-project.ts';
import { runFiles } from '../../../salvo/src/app/runs/run.ts';
import { salvoVersion } from '../../../salvo/src/text/modules/salvo-version.ts';
import { experimentKind } from '../../../salvo-arena/src/app/experiments/experiment-kind.ts';
import { runExperiment } from '../../../salvo-arena/src/app/experiments/run-experiment.ts';
import { experimentsOf } from '../../../salvo-arena/src/store/experiment-tables.ts';
import { coordinateOrder } from '../../src/work/coordinate-order.ts';

const vote = (score: number) =>
  JSON.stringify({
    turns: [{ tool_calls: [{ name: 'score_criteria', arguments: { polite: { score, reasoning: 'It begs.' } } }] }],
  });

const FILES = {
  'salvo.yaml': `
default_adapter: scripted
judge: { adapter: voter, model: v, k: 3 }
adapters: { voter: { type: scripted, script: { variants: [${vote(1)}, ${vote(0.5)}, ${vote(0)}] } } }
`,
  'scenarios/sums.yaml': `
prompt: What is {{a}} plus {{a}}?
data: [{ a: 1, name: one }, { a: 2, name: two }, { a: 3, name: three }]
script: { variants: [{ weight: 2, turns: [{ content: "{{a}}{{a}}" }] }, { turns: [{ content: no idea }] }, { turns: [{ error: { status: 400, message: odd } }] }] }
assertions: [{ type: output_contains, value: "{{a}}" }]
min_pass_rate: 0.5
`,
  'scenarios/tone.yaml': `
prompt: Please.
script: { variants: [{ turns: [{ content: Yes. }] }, { turns: [{ content: Never. }] }] }
assertions:
  - { type: output_not_contains, value: Never, weight: 2 }
  - { type: judge, criteria: [{ name: polite, description: Says please. }] }
min_pass_rate: 0
`,
  'scenarios/later.yaml': `
prompt: Not yet.
skip: the agent is not ready
script: [{ content: Yes. }]
assertions: [{ type: output_contains, value: "Yes" }]
`,
  'experiment.yaml': 'name: rules\ntasks: { sample: 2 }\ndifficulty: [easy, hard]\nblue: [rules]\nseed: 3\n',
};

/** What may differ between two runs of the same: ids, times, and how long things took. */
const VOLATILE = new Set([
  ...['run_id', 'trace_id', 'experiment_id', 'game_id', 'created_at', 'finished_at', 'started_at', 'duration_seconds'],
  ...['latency_seconds', 'latency_p50', 'latency_p95', 'judge_latency_seconds', 'cached_votes', 'cached'],
  ...['blue_seconds', 'seconds', 'seconds_per_game', 'seconds_per_match', 'seconds_per_finding'],
]);

function stable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (VOLATILE.has(key) ? undefined : each)));
}

async function outcome(cwd: string, env: Record<string, string>) {
  const place = { cwd, env };
  const [run, experiment] = await Promise.all([
    runFiles({ ...place, trials: 4, seed: 7, judgeCache: false, allowUnscored: true }),
    runExperiment({ ...place, file: 'experiment.yaml' }),
  ]);
  await using _run = run;
  await using _experiment = experiment;
  const trials = await Array.fromAsync(run.store.trials(run.run.run_id));
  const traces = await Promise.all(trials.map(({ trace_id }) => run.store.getTrace(trace_id ?? '')));
  return {
    verdict: run.outcome.verdict,
    exitCode: run.outcome.exitCode,
    status: run.run.status,
    summaries: stable(run.run.scenarios),
    trials: stable(trials),
    kinds: new Set(trials.map(({ result }) => result?.status)),
    verdicts: run.run.scenarios.map(({ summary }) => summary?.verdict),
    conversations: traces.map((trace) => trace?.messages),
    experiment: stable(await experiment.results()),
    games: stable(await Array.fromAsync(experiment.games())),
  };
}

/** Starts workers in the folder, and ends them when it is disposed of. */
export type StartWorkers = (options: {
  cwd: string;
  env: Record<string, string>;
  count: number;
}) => Promise<AsyncDisposable>;

/** Work gives the same whoever does it: this process alone, or so many workers. */
export function engineContract(counts: readonly number[], startWorkers: StartWorkers): void {
  describe('the same seed gives the same verdicts, numbers and results', () => {
    let project: ProjectFixture;
    let database: TestDatabase;
    let here: Awaited<ReturnType<typeof outcome>>;

    beforeAll(async () => {
      [project, database] = await Promise.all([projectFixture(FILES), createDatabase()]);
    });

    afterAll(async () => {
      await project[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    test('in one process, with trials of every kind', async () => {
      here = await outcome(project.root, {});
      expect(here).toMatchObject({ verdict: 'PASS', status: 'finished' });
      expect(here.kinds).toEqual(new Set(['passed', 'failed', 'unscored']));
      expect(here.verdicts).toEqual(['PASS', 'PASS', 'SKIPPED']);
    });

    test.each(counts)('by %i workers', async (count) => {
      const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: project.path('cache') };
      await using _workers = await startWorkers({ cwd: project.root, env, count });
      expect(await outcome(project.root, env)).toEqual(here);
    });

    test('what has ended is not begun again by a process that wanted to lead it', async () => {
      const store = await openProjectStore(await project.project(), { env: { SALVO_DATABASE_URL: database.url } });
      const [id = ''] = await experimentsOf(store).findExperimentIds('', 1);
      const experiment = await experimentsOf(store).getExperiment(id);
      if (!experiment) throw new Error('No experiment is stored.');
      const order = {
        work: { kind: 'experiment' as const, id },
        salvo_version: salvoVersion(),
        ...{ bundle: '', code: [], settings: { labels: [], budget_usd: null, files: {}, own: {} } },
      };
      const lead = coordinateOrder(experimentKind, { store, order, record: experiment, isTakenOver: true });
      await expect(lead).rejects.toMatchObject({ code: 'ORDER_ENDED' });
      expect(await experimentsOf(store).getExperiment(id)).toEqual(experiment);
      expect(await store.holderOf(order.work)).toBeNull();
      await store.close();
    });
  });
}
