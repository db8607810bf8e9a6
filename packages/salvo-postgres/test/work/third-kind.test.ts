import { registerExtension } from 'salvo/kit/extension';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../../test/postgres.ts';
import { type ProjectFixture, projectFixture } from '../../../../test/project-fixture.ts';
import { attach } from '../../src/work/attach.ts';
import { runWorker } from '../../src/work/worker.ts';
import type { WorkerEvent } from '../../src/work/worker-event.ts';
import { type CountEvent, countKind, countWords } from './word-count.ts';

const TEXTS = ['one', 'one two', 'one two three', '', 'one two three four'];
const WORDS = 10;

let project: ProjectFixture;
let database: TestDatabase;
let place: { cwd: string; env: Record<string, string> };

beforeAll(async () => {
  [project, database] = await Promise.all([projectFixture({ 'salvo.yaml': '' }), createDatabase()]);
  place = {
    cwd: project.root,
    env: { SALVO_DATABASE_URL: database.url, SALVO_CACHE_DIR: project.path('cache') },
  };
});

beforeEach(() => registerExtension({ name: 'salvo-count', doors: { work: async () => [countKind] } }));

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

/** Workers with a label of their own, until they are disposed of. */
function startWorkers(count: number, label: string, onEvent: (event: WorkerEvent) => void = () => {}): AsyncDisposable {
  const stop = new AbortController();
  const workers = Array.from({ length: count }, () =>
    runWorker({ ...place, labels: [label], concurrency: 1, command: [], stop: stop.signal, onEvent }),
  );
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(workers);
    },
  };
}

function namesOf(events: readonly CountEvent[]): string[] {
  return events.map(({ type }) => type).filter((type) => type !== 'under_way' && type !== 'no_worker');
}

describe('work of a kind that a package brings in one file', () => {
  test('is done in this process where no workers are', async () => {
    const events: CountEvent[] = [];
    const onEvent = (event: CountEvent): void => void events.push(event);
    const ended = await countWords({ cwd: project.root, env: {}, texts: TEXTS, onEvent });
    expect(ended).toMatchObject({ status: 'finished', words: WORDS });
    expect(namesOf(events)).toEqual(['count_started', ...TEXTS.map(() => 'text_counted')]);
  });

  test('is done by workers, each text once', async () => {
    const events: CountEvent[] = [];
    await using _workers = startWorkers(2, 'here');
    const onEvent = (event: CountEvent): void => void events.push(event);
    const ended = await countWords({ ...place, texts: TEXTS, workers: { labels: ['here'] }, onEvent });
    expect(ended).toMatchObject({ status: 'finished', words: WORDS });
    expect(namesOf(events)).toEqual(['count_started', ...TEXTS.map(() => 'text_counted')]);
    expect(await database.query('SELECT * FROM salvo.work_orders')).toEqual([]);
  });

  test('is left to workers, who coordinate it themselves, and followed until it ends', async () => {
    const left: unknown = await countWords({
      ...{ ...place, texts: TEXTS, workers: { labels: ['later'], detach: true } },
    }).catch((error: unknown) => error);
    expect(left).toMatchObject({ code: 'RUN_LEFT_TO_WORKERS', work: { kind: 'count' } });
    const { id } = (left as { work: { id: string } }).work;
    const heard: string[] = [];
    const following = attach({
      ...{ ...place, target: id },
      show: async (kind) => (event) => void heard.push(`${kind} ${(event as CountEvent).type}`),
    });
    await using _workers = startWorkers(1, 'later');
    await using attached = await following;
    expect(attached).toMatchObject({ kind: 'count', ended: { count_id: id, status: 'finished', words: WORDS } });
    expect(heard.filter((each) => each === 'count text_counted')).toHaveLength(TEXTS.length);
  });

  test('is stopped and resumed', async () => {
    const stop = new AbortController();
    const stopped = await countWords({
      ...{ ...place, texts: TEXTS, workers: { labels: ['nobody'] }, stop: stop.signal },
      onEvent: ({ type }) => {
        if (type === 'no_worker') stop.abort();
      },
    });
    expect(stopped).toMatchObject({ status: 'interrupted', words: null });
    await using _workers = startWorkers(1, 'somebody');
    const resumed = await countWords({
      ...{ ...place, texts: { resume: stopped.count_id }, workers: { labels: ['somebody'] } },
    });
    expect(resumed).toEqual({ ...stopped, status: 'finished', words: WORDS });
  });

  test('is refused by workers without the package, who say so', async () => {
    await registerExtension({ name: 'salvo-count', doors: {} });
    const refused = Promise.withResolvers<string>();
    await using _workers = startWorkers(1, 'without', (event) => {
      if (event.type === 'order_refused') refused.resolve(event.reason);
    });
    const stop = new AbortController();
    const reasons: string[] = [];
    const counting = countWords({
      ...{ ...place, texts: TEXTS, workers: { labels: ['without'] }, stop: stop.signal },
      onEvent(event) {
        if (event.type !== 'no_worker') return;
        reasons.push(event.reason);
        stop.abort();
      },
    });
    expect(await refused.promise).toContain('Work of the kind count');
    expect(await counting).toMatchObject({ status: 'interrupted' });
    expect(reasons.join('\n')).toContain('Work of the kind count');
  });
});
