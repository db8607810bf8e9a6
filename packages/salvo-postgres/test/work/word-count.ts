import { openWorkers, type WorkerUse } from 'salvo/kit/app';
import { hasWorkerAccess, loadSettings, openProjectStore, type Stoppable } from 'salvo/kit/project';
import {
  type ChangedResults,
  changesReader,
  conduct,
  coordinate,
  type Job,
  newId,
  type Performed,
  runPool,
  type WorkEvent,
  type WorkSignals,
} from 'salvo/kit/queue';
import { type Store, type TableEngine, upsert, type WorkModule } from 'salvo/kit/store';
import type { WorkKind } from 'salvo/kit/work';
import { z } from 'zod';

/** A third kind of work, as a package would bring it: the words of some texts are counted, a text by a job. */
const recordSchema = z.object({
  count_id: z.string(),
  status: z.enum(['running', 'finished', 'interrupted']),
  texts: z.array(z.string()),
  /** Null until all texts are counted. */
  words: z.number().nullable(),
});

export type CountRecord = z.infer<typeof recordSchema>;
export type CountEvent = { type: 'count_started'; texts: number } | { type: 'text_counted'; words: number } | WorkEvent;

interface CountedText {
  position: number;
  words: number;
}

interface CountTables {
  get(id: string): Promise<CountRecord | null>;
  find(prefix: string, limit: number): Promise<string[]>;
  save(record: CountRecord): Promise<void>;
  counted(id: string): Promise<CountedText[]>;
  saveText(id: string, text: CountedText): Promise<void>;
  changed(id: string, cursor: string): Promise<ChangedResults<CountedText>>;
}

const countModule: WorkModule<CountTables> = {
  name: 'salvo-count',
  migrations: {
    sqlite: [
      `CREATE TABLE @counts (count_id TEXT PRIMARY KEY, record TEXT NOT NULL);
       CREATE TABLE @counted_texts (count_id TEXT NOT NULL, position INTEGER NOT NULL, words INTEGER NOT NULL,
         PRIMARY KEY (count_id, position))`,
    ],
    postgres: [
      `CREATE TABLE @counts (count_id text COLLATE "C" PRIMARY KEY, record text NOT NULL);
       CREATE TABLE @counted_texts (count_id text COLLATE "C" NOT NULL, position integer NOT NULL, words integer NOT NULL,
         written xid8 NOT NULL, PRIMARY KEY (count_id, position))`,
    ],
  },
  work: {
    ...{ kind: 'count', column: 'count_id', tables: ['counted_texts', 'counts'] },
    followed: { counted_texts: ['position'] },
  },
  open: countTables,
};

function countTables(engine: TableEngine): CountTables {
  return {
    async get(id) {
      const [record] = await engine.select('SELECT record FROM @counts WHERE count_id = $1', [id], (row) =>
        row.document('record', `The count ${id}`, recordSchema),
      );
      return record ?? null;
    },
    find: (prefix, limit) =>
      engine.select(
        'SELECT count_id FROM @counts WHERE count_id >= $1 AND count_id < $2 LIMIT $3',
        [prefix, `${prefix}\u{10ffff}`, limit],
        (row) => row.text('count_id'),
      ),
    save(given) {
      const record = engine.document(`The count ${given.count_id}`, recordSchema, given);
      const { count_id } = given;
      return engine.write({
        ...{ to: count_id, documents: [record] },
        change: () => upsert('counts', { count_id }, { record }),
      });
    },
    counted: (id) =>
      engine.select('SELECT position, words FROM @counted_texts WHERE count_id = $1', [id], (row) => ({
        ...{ position: row.number('position'), words: row.number('words') },
      })),
    saveText: (count_id, { position, words }) =>
      engine.write({
        ...{ to: count_id, documents: [] },
        change: () => upsert('counted_texts', { count_id, position }, { words }),
      }),
    async changed(id, since) {
      const query = { table: 'counted_texts', id, columns: 'words', cursor: since };
      const { rows, cursor } = await engine.changes(query, (row) => ({
        ...{ position: row.number('position'), words: row.number('words') },
      }));
      return { results: rows, cursor };
    },
  };
}

interface CountWork {
  record: CountRecord;
  event: CountEvent;
  outcome: CountRecord;
  ended: CountRecord;
  settings: Record<string, never>;
}

/** What the order and the report of every count are, whoever counts. `perform` counts the texts that are missing. */
function conductCount(
  { record, store, ...given }: { record: CountRecord; store: Store; onEvent(event: CountEvent): void } & Stoppable,
  perform: (counted: Map<number, number>, signals: WorkSignals) => Promise<Performed>,
): Promise<CountRecord> {
  const { count_id: id, texts } = record;
  const { counted, save } = store.tables(countModule);
  return conduct({
    ...{ ...given, work: { kind: 'count', id }, claim: store.claim },
    async open() {
      await save({ ...record, status: 'running', words: null });
      given.onEvent({ type: 'count_started', texts: texts.length });
      return new Map((await counted(id)).map(({ position, words }) => [position, words]));
    },
    perform,
    async end() {
      const all = await counted(id);
      const isWhole = all.length === texts.length;
      const words = isWhole ? all.reduce((sum, each) => sum + each.words, 0) : null;
      const ended: CountRecord = { ...record, status: isWhole ? 'finished' : 'interrupted', words };
      await save(ended);
      return ended;
    },
  });
}

const jobSchema = z.object({ position: z.int() });

function missingJobs({ texts }: CountRecord, counted: ReadonlyMap<number, number>, labels: readonly string[]): Job[] {
  const missing = [...texts.keys()].filter((position) => !counted.has(position));
  return missing.map((position) => ({ key: `${position}`, group: 'texts', labels, data: { position } }));
}

function wordsOf({ texts }: CountRecord, position: number): number {
  return (texts[position] ?? '').split(/\s+/).filter((word) => word !== '').length;
}

export const countKind: WorkKind<CountWork> = {
  kind: 'count',
  settings: z.record(z.string(), z.never()),
  getRecord: (store, id) => store.tables(countModule).get(id),
  findIds: (store, prefix, limit) => store.tables(countModule).find(prefix, limit),
  coordinate(request) {
    const { record, store, labels, onEvent } = request;
    return conductCount(request, (counted, signals) =>
      coordinate<CountedText, Performed>(
        request,
        {
          jobs: () => missingJobs(record, counted, labels[0] ?? []),
          changed: (cursor) => store.tables(countModule).changed(record.count_id, cursor),
          count({ position, words }) {
            if (counted.has(position)) return;
            counted.set(position, words);
            onEvent({ type: 'text_counted', words });
          },
          onFailed: async () => {},
          onEvent,
          ended: async ({ budgetRefusal }) => ({ budgetRefusal }),
        },
        signals,
      ),
    );
  },
  async openPerformer({ record, workerAccess }) {
    return {
      async perform(job) {
        const { position } = jobSchema.parse(job.data);
        const { saveText } = workerAccess.ofJob(job.lease).tables(countModule);
        await saveText(record.count_id, { position, words: wordsOf(record, position) });
        return 'done';
      },
      [Symbol.asyncDispose]: async () => {},
    };
  },
  async follow({ record, store, workerAccess, onEvent }) {
    const { counted, changed } = store.tables(countModule);
    const cursor = await workerAccess.cursor();
    const seen = new Set((await counted(record.count_id)).map(({ position }) => position));
    onEvent({ type: 'count_started', texts: record.texts.length });
    const count = ({ position, words }: CountedText): void => {
      if (!seen.has(position)) onEvent({ type: 'text_counted', words });
      seen.add(position);
    };
    const read = changesReader(cursor, { changed: (since) => changed(record.count_id, since), count });
    return { read, end: async (ended) => ended };
  },
};

export interface CountOptions extends Stoppable {
  cwd: string;
  env: Record<string, string | undefined>;
  /** The texts of a new count, or the id of one that is resumed. */
  texts: readonly string[] | { resume: string };
  workers?: WorkerUse | undefined;
  onEvent?: ((event: CountEvent) => void) | undefined;
}

/** Counts the words of texts: in this process, or by workers if the project has a database for them. */
export async function countWords(options: CountOptions): Promise<CountRecord> {
  const { cwd, env, texts, workers, onEvent = () => {}, stop, abort } = options;
  const project = await loadSettings(cwd);
  const store = await openProjectStore(project, { env });
  try {
    const { get, saveText } = store.tables(countModule);
    const record = 'resume' in texts ? await get(texts.resume) : newCount(texts);
    if (record === null) throw new Error('There is no such count.');
    const id = record.count_id;
    if (hasWorkerAccess(project, env)) {
      return await (await openWorkers()).perform(countKind, {
        ...{ id, record, settings: {}, labels: [workers?.labels ?? []], budgetUsd: null, needs: {} },
        ...{ workers, concurrency: 2, store, project, cwd, env, stop, abort, onEvent },
      });
    }
    return await conductCount({ record, store, stop, abort, onEvent }, async (counted, signals) => {
      const perform = async ({ data }: Job): Promise<void> => {
        const { position } = jobSchema.parse(data);
        await saveText(id, { position, words: wordsOf(record, position) });
        onEvent({ type: 'text_counted', words: wordsOf(record, position) });
      };
      await runPool({ jobs: missingJobs(record, counted, []), concurrency: 2, perform, stop: signals.stop });
      return { budgetRefusal: null };
    });
  } finally {
    await store.close();
  }
}

function newCount(texts: readonly string[]): CountRecord {
  return { count_id: newId(), status: 'running', texts: [...texts], words: null };
}
