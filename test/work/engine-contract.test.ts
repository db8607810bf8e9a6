import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runFiles } from '../../src/app/run.ts';
import { runExperimentFile } from '../../src/app/run-experiment.ts';
import { type StartedCli, startCli } from '../cli/cli-fixture.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { type ProjectFixture, projectFixture } from '../project-fixture.ts';

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
script: { variants: [{ weight: 2, turns: [{ content: "{{a}}{{a}}" }] }, { turns: [{ content: no idea }] }] }
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
  'experiment.yaml': 'name: rules\ntasks: { sample: 2 }\ndifficulty: [easy, hard]\nblue: [rules]\nseed: 3\n',
};

/** What may differ between two runs of the same: ids, times, and how long things took. */
const VOLATILE = new Set([
  ...['run_id', 'trace_id', 'experiment_id', 'game_id', 'created_at', 'finished_at', 'started_at', 'duration_seconds'],
  ...['latency_seconds', 'latency_p50', 'latency_p95', 'judge_latency_seconds', 'cached_votes', 'cached'],
]);

function stable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, each) => (VOLATILE.has(key) ? undefined : each)));
}

let project: ProjectFixture;
let database: TestDatabase;
const workers: StartedCli[] = [];

beforeAll(async () => {
  [project, database] = await Promise.all([projectFixture(FILES), createDatabase()]);
});

afterAll(async () => {
  for (const { child } of workers) child.kill('SIGTERM');
  const left = await Promise.all(workers.map(({ result }) => result));
  await project[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  expect(left.map(({ code }) => code)).toEqual(workers.map(() => 0));
});

async function outcome(env: Record<string, string>) {
  const place = { cwd: project.root, env };
  const [run, experiment] = await Promise.all([
    runFiles({ ...place, trials: 4, seed: 7, judgeCache: false }),
    runExperimentFile({ ...place, file: 'experiment.yaml' }),
  ]);
  await using _run = run;
  await using _experiment = experiment;
  const trials = await Array.fromAsync(run.store.trials(run.run.run_id));
  const traces = await Promise.all(trials.map(({ trace_id }) => run.store.getTrace(trace_id ?? '')));
  return {
    verdict: run.outcome.verdict,
    exitCode: run.outcome.exitCode,
    status: run.run.status,
    summaries: stable(run.outcome.scenarios),
    trials: stable(trials),
    conversations: traces.map((trace) => trace?.messages),
    experiment: stable(await experiment.results()),
    games: stable(await Array.fromAsync(experiment.games())),
  };
}

describe('the same seed gives the same verdicts, numbers and results', () => {
  let here: Awaited<ReturnType<typeof outcome>>;

  test('in one process, with trials of every kind', async () => {
    here = await outcome({});
    expect(here).toMatchObject({ verdict: 'PASS', status: 'finished' });
    expect(here.trials).toHaveLength(16);
    const passed = here.summaries;
    expect(JSON.stringify(passed)).toContain('"trials_failed":');
  });

  test.each([1, 2, 4])('by %i workers', async (count) => {
    while (workers.length < count) {
      const started = startCli(['worker', '-c', '2'], {
        cwd: project.root,
        env: { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: project.path('cache') },
      });
      workers.push(started);
    }
    await Promise.all(workers.map((worker) => worker.untilStderrHas('takes up to')));
    expect(await outcome({ SALVO_DATABASE_URL: database.url })).toEqual(here);
  });
});
