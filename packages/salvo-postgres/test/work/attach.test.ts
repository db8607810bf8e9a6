import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { type ProjectFixture, projectFixture } from '../../../../test/project-fixture.ts';
import { runFiles } from '../../../salvo/src/app/runs/run.ts';
import { runExperiment } from '../../../salvo-arena/src/app/experiments/run-experiment.ts';
import { attach } from '../../src/work/attach.ts';
import { runWorker } from '../../src/work/worker.ts';

const FILES = {
  'salvo.yaml': 'default_adapter: scripted\n',
  's.yaml': `
prompt: Say yes.
script: [{ content: Yes. }]
assertions: [{ type: output_contains, value: "Yes" }]
`,
  'experiment.yaml': 'name: rules\ntasks: { sample: 1 }\ndifficulty: [easy, hard]\nblue: [rules]\nseed: 3\n',
};

let project: ProjectFixture;
let database: TestDatabase;
let place: { cwd: string; env: Record<string, string> };

beforeAll(async () => {
  [project, database] = await Promise.all([projectFixture(FILES), createDatabase()]);
  const env = { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: project.path('cache') };
  place = { cwd: project.root, env };
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const DETACHED = { labels: ['here'], detach: true };

test.each([
  ['run', 'trial', () => runFiles({ ...place, files: ['s.yaml'], trials: 2, workers: DETACHED })],
  ['experiment', 'game', () => runExperiment({ ...place, file: 'experiment.yaml', workers: DETACHED })],
] as const)('the %s that was left to workers is followed until it ends', async (kind, unit, start) => {
  const left = await start().then(
    () => null,
    (error: unknown) => error,
  );
  expect(left).toMatchObject({ code: 'RUN_LEFT_TO_WORKERS', work: { kind } });
  const stop = new AbortController();
  const said: string[] = [];
  let worker: Promise<void> | null = null;
  const shown: string[] = [];
  const types: string[] = [];
  await using attached = await attach({
    ...place,
    target: 'latest',
    async show(shownKind) {
      shown.push(shownKind);
      return (event) => {
        const { type: heard } = event as { type: string };
        types.push(heard);
        // What is stored when it begins to be followed is only counted.
        if (heard !== `${kind}_started`) return;
        worker ??= runWorker({
          ...{ ...place, labels: ['here'], concurrency: 2, command: [], stop: stop.signal },
          onEvent: ({ type }) => said.push(type),
        });
      };
    },
  });
  expect(attached.kind).toBe(kind);
  expect(attached.ended).toMatchObject({ [kind]: { status: 'finished' } });
  expect(shown).toEqual([kind]);
  // The start is told once, whoever leads in the end.
  expect(types.filter((type) => type === `${kind}_started`)).toHaveLength(1);
  expect(types.filter((type) => type === `${unit}_finished`)).toHaveLength(2);
  stop.abort();
  await worker;
  expect(said).toEqual(expect.arrayContaining(['joined', 'order_begun', 'left']));
});

test('there is nothing to follow when all has ended', async () => {
  await expect(attach({ ...place, target: 'latest' })).rejects.toMatchObject({ code: 'RUN_NOT_AT_WORK' });
  await expect(attach({ ...place, target: 'zzz' })).rejects.toThrow('There is no run and no experiment "zzz".');
});
