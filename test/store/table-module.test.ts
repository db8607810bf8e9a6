import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';
import { textFree } from '../../packages/salvo/src/secrets/text-marks.ts';
import { redactingStore } from '../../packages/salvo/src/store/redaction/redacting-store.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../packages/salvo/src/store/store.ts';
import { query, type TableEngine, upsert, type WorkModule } from '../../packages/salvo/src/store/table-module.ts';
import { openPostgresStore } from '../../packages/salvo-postgres/src/store/open-postgres-store.ts';
import { createDatabase, type TestDatabase } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const noteSchema = z.object({ note_id: textFree(z.string()), text: z.string() });
type Note = z.infer<typeof noteSchema>;

/** What anyone's package could bring. */
function notes(versions = 2): WorkModule<ReturnType<typeof noteTables>> {
  const steps = (text: string) =>
    [
      `CREATE TABLE @notes (note_id ${text} PRIMARY KEY, note ${text} NOT NULL)`,
      `ALTER TABLE @notes ADD COLUMN colour ${text} NOT NULL DEFAULT 'white'`,
    ].slice(0, versions);
  return {
    name: 'salvo-notes',
    migrations: { sqlite: steps('TEXT'), postgres: steps('text') },
    work: { kind: 'note', column: 'note_id', tables: ['notes'], followed: {} },
    open: noteTables,
  };
}

function noteTables(engine: TableEngine) {
  return {
    save(given: Note, fail = false): Promise<void> {
      const note = engine.document(`The note ${given.note_id}`, noteSchema, given);
      return engine.write({
        to: note.value.note_id,
        documents: [note],
        *change() {
          yield* upsert('notes', { note_id: note.value.note_id }, { note });
          if (fail) yield* query('INSERT INTO @notes (note_id) VALUES ($1)', ['without a note']);
        },
      });
    },
    all: () =>
      engine.select('SELECT note FROM @notes ORDER BY note_id', [], (row) =>
        row.document('note', 'A note', noteSchema),
      ),
    colours: () => engine.select('SELECT colour FROM @notes', [], (row) => row.text('colour')),
    keep: (text: string) => engine.exactDocument('A text', { text })?.value ?? null,
  };
}

let postgres: TestDatabase;
beforeAll(async () => {
  postgres = await createDatabase();
});
afterAll(() => postgres[Symbol.asyncDispose]());

interface Opened {
  open(): Promise<Store>;
  setVersion(version: number): Promise<void>;
}

const DATABASES: [string, () => Promise<Opened>][] = [
  [
    'SQLite',
    async () => {
      const file = `${await temporaryFolder()}/salvo.db`;
      return {
        open: () => openSqliteStore({ file }),
        async setVersion(version) {
          const database = new DatabaseSync(file);
          database.prepare('UPDATE schema_parts SET version = ?').run(version);
          database.close();
        },
      };
    },
  ],
  [
    'PostgreSQL',
    async () => {
      await postgres.query('DROP SCHEMA IF EXISTS salvo CASCADE');
      return {
        open: () => openPostgresStore({ url: postgres.url }),
        setVersion: async (version) =>
          void (await postgres.query(`UPDATE salvo.schema_parts SET version = $1 WHERE name = 'salvo-notes'`, [
            version,
          ])),
      };
    },
  ],
];

describe.each(DATABASES)('tables that a package brings, in %s', (_, create) => {
  async function opened() {
    const database = await create();
    const store = await database.open();
    return { ...database, store, [Symbol.asyncDispose]: () => store.close() };
  }
  const long = 'long '.repeat(100);

  test('are made when they are first used, by one of many processes, and are there for the next', async () => {
    await using database = await opened();
    const stores = await Promise.all([1, 2, 3].map(() => database.open()));
    await Promise.all(stores.map((each, index) => each.tables(notes()).save({ note_id: `n${index}`, text: long })));
    for (const each of stores) await each.close();
    expect(await database.store.tables(notes()).all()).toEqual(
      [0, 1, 2].map((n) => ({ note_id: `n${n}`, text: long })),
    );
  });

  test('get what a later version of the package adds, and are refused to an earlier one', async () => {
    await using database = await opened();
    const store = await database.open();
    await store.tables(notes(1)).save({ note_id: 'n1', text: 'a' });
    await store.close();
    expect(await database.store.tables(notes(2)).colours()).toEqual(['white']);
    await using later = { store: await database.open(), [Symbol.asyncDispose]: () => later.store.close() };
    await database.setVersion(3);
    await expect(later.store.tables(notes()).all()).rejects.toMatchObject({
      code: expect.stringMatching(/TOO_NEW$/),
    });
  });

  test('have all of a write or nothing', async () => {
    await using database = await opened();
    const tables = database.store.tables(notes());
    await expect(tables.save({ note_id: 'n1', text: 'a' }, true)).rejects.toThrow();
    expect(await tables.all()).toEqual([]);
  });

  test('hold no secret, whatever the package does', async () => {
    await using database = await opened();
    const redactor = createRedactor({ customPatterns: [], secrets: ['a very secret value'] });
    const full = redactingStore(database.store, { redactor, mode: 'full' }).tables(notes());
    await full.save({ note_id: 'n1', text: `before a very secret value after ${long}` });
    expect(JSON.stringify(await full.all())).toMatch(/before \S+ after/);
    expect(JSON.stringify(await full.all())).not.toContain('very secret');
    expect(full.keep('a very secret value')).toBeNull();
    expect(full.keep('plain')).toEqual({ text: 'plain' });
    const bare = redactingStore(database.store, { redactor, mode: 'metadata_only' }).tables(notes());
    await bare.save({ note_id: 'n2', text: 'nobody may read this sentence' });
    expect(JSON.stringify(await bare.all())).not.toContain('sentence');
    expect(bare.keep('plain')).toBeNull();
  });

  test('are removed and described with the rest of the store', async () => {
    await using database = await opened();
    const { store } = database;
    const tables = store.tables(notes());
    for (const note_id of ['n1', 'n2']) await tables.save({ note_id, text: long });
    await using _lease = await store.claim({ kind: 'note', id: 'n2' });
    expect(await store.describe()).toMatchObject({
      tables: expect.arrayContaining([expect.objectContaining({ name: 'notes', rows: 2 })]),
      under_way: [{ kind: 'note', id: 'n2' }],
    });
    expect(await store.removeForGood(['n1', 'n2'], notes())).toBe(1);
    expect(await tables.all()).toEqual([{ note_id: 'n2', text: long }]);
  });
});
