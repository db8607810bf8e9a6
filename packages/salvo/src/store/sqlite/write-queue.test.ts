import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { writeQueue } from './write-queue.ts';

function openQueue() {
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE notes (text TEXT NOT NULL UNIQUE)');
  const insert = database.prepare('INSERT INTO notes VALUES (?)');
  const queue = writeQueue(database, 'salvo.db');
  const notes = () =>
    database
      .prepare('SELECT text FROM notes')
      .all()
      .map((row) => row.text);
  return { database, queue, insert, notes, note: (text: string) => queue.write(() => insert.run(text)) };
}

describe('a write queue', () => {
  test('resolves with what the write returned, after the commit', async () => {
    const { database, queue, notes } = openQueue();
    expect(await queue.write(() => 42)).toBe(42);
    expect(database.isTransaction).toBe(false);
    expect(notes()).toEqual([]);
  });

  test('keeps the order of the calls', async () => {
    const { note, notes } = openQueue();
    const texts = Array.from({ length: 1200 }, (_, index) => `note ${index}`);
    await Promise.all(texts.map(note));
    expect(notes()).toEqual(texts);
  });

  test('undoes a write that throws in the middle, and only that one', async () => {
    const { queue, insert, note, notes } = openQueue();
    const half = queue.write(() => {
      insert.run('half of it');
      throw new Error('stop');
    });
    const outcomes = await Promise.allSettled([note('first'), note('first'), half, note('last')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    await queue.drained();
    expect(notes()).toEqual(['first', 'last']);
  });

  test('says that the disk is full, keeps what was written, and goes on when there is space again', async () => {
    const { database, queue, note, notes } = openQueue();
    await note('before');
    database.exec('PRAGMA max_page_count = 3');
    const outcome = note('x'.repeat(100_000));
    await expect(outcome).rejects.toMatchObject({ code: 'STORE_FULL', message: expect.stringContaining('salvo.db') });
    database.exec('PRAGMA max_page_count = 1000');
    await note('after');
    await queue.drained();
    expect(notes()).toEqual(['before', 'after']);
  });
});
