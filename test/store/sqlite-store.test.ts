import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRedactor } from '../../packages/salvo/src/secrets/redactor.ts';
import { redactingStore } from '../../packages/salvo/src/store/redaction/redacting-store.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { sampleFailure, sampleRun, sampleStoredTrial, sampleSummary } from '../sample-run.ts';
import { sampleSupportTrace } from '../sample-trace.ts';
import { sampleTrial } from '../sample-trial.ts';
import { storeContract } from './store-contract.ts';

let folder: string;
let file: string;
let count = 0;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'salvo-store-'));
  file = path.join(folder, '.salvo', 'salvo.db');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

storeContract('a SQLite store', () => openSqliteStore({ file: path.join(folder, `s${count++}`, 'salvo.db') }));
storeContract('a SQLite store in memory', () => openSqliteStore({ file: ':memory:' }));
storeContract('a redacting store', async () => {
  const redactor = createRedactor({
    customPatterns: ['CUST-\\d+'],
    secrets: ['a very secret value'],
  });
  return redactingStore(await openSqliteStore({ file: ':memory:' }), { redactor, mode: 'full' });
});

describe('the file', () => {
  test('keeps everything after it was closed', async () => {
    const first = await openSqliteStore({ file });
    await first.createRun(sampleRun());
    const trace_id = await first.saveTrace(sampleSupportTrace());
    const trial = sampleStoredTrial({ trace_id, result: sampleTrial({ trace_id }) });
    await first.saveTrial(trial);
    await first.close();

    const second = await openSqliteStore({ file });
    expect(await second.getRun('run-1')).toEqual(sampleRun());
    expect(await second.getTrace(trace_id)).toEqual(sampleSupportTrace());
    expect(await Array.fromAsync(second.trials('run-1'))).toEqual([trial]);
    await second.close();
  });

  test('keeps summaries that were stored before judges were summarised', async () => {
    const store = await openSqliteStore({ file });
    await store.createRun(sampleRun());
    const summary = sampleSummary({ assertion_failures: [sampleFailure()] });
    await store.updateRun('run-1', { summaries: [summary] });
    await store.close();
    const database = new DatabaseSync(file);
    database.exec("UPDATE run_scenarios SET summary = json_remove(summary, '$.judges') WHERE summary IS NOT NULL");
    database.close();
    const later = await openSqliteStore({ file });
    expect((await later.getRun('run-1'))?.scenarios[0]?.summary).toEqual(summary);
    await later.close();
  });

  test('is hidden from git, with its new folder', async () => {
    await (await openSqliteStore({ file })).close();
    expect(await readFile(path.join(folder, '.salvo', '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('does not hide a folder that other programs use from git', async () => {
    await writeFile(path.join(folder, 'scenario.yaml'), 'prompt: hi');
    await (await openSqliteStore({ file: path.join(folder, 'salvo.db') })).close();
    await expect(stat(path.join(folder, '.gitignore'))).rejects.toThrow('ENOENT');
  });

  test('holds a system prompt once, however many traces have it', async () => {
    const content = Array.from({ length: 4000 }, (_, index) => `rule ${index * 7919}`).join(', ');
    const store = await openSqliteStore({ file });
    for (let trial = 0; trial < 200; trial++) {
      await store.saveTrace(sampleSupportTrace({ latency_seconds: trial, messages: [{ role: 'system', content }] }));
    }
    await store.close();
    expect((await stat(file)).size).toBeLessThan(6 * content.length);
  });
});

describe('a file that is not ours is refused and left alone', () => {
  test.each([
    ['text', Buffer.from('this is not a database, but a long enough text to look at '.repeat(100)), 'STORE_CORRUPT'],
    ['a cut-off header', Buffer.from('SQLite format 3\0'), 'STORE_CORRUPT'],
    ['zeros', Buffer.alloc(8192), 'STORE_CORRUPT'],
  ])('%s', async (_, bytes, code) => {
    const path_ = path.join(folder, 'salvo.db');
    await writeFile(path_, bytes);
    await expect(openSqliteStore({ file: path_ })).rejects.toMatchObject({
      code,
      message: expect.stringContaining(path_),
    });
    expect(await readFile(path_)).toEqual(bytes);
  });

  test('the database of another program', async () => {
    const path_ = path.join(folder, 'salvo.db');
    const other = new DatabaseSync(path_);
    other.exec('CREATE TABLE bookmarks (url TEXT)');
    other.close();
    const before = await readFile(path_);
    await expect(openSqliteStore({ file: path_ })).rejects.toMatchObject({ code: 'STORE_FOREIGN' });
    expect(await readFile(path_)).toEqual(before);
  });

  test('a store of a newer version', async () => {
    await (await openSqliteStore({ file })).close();
    const newer = new DatabaseSync(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await expect(openSqliteStore({ file })).rejects.toMatchObject({
      code: 'STORE_TOO_NEW',
      message: expect.stringMatching(/newer Salvo.*99.*Update Salvo/),
    });
  });

  test("a folder that can't be made, and a folder in the place of the file", async () => {
    await writeFile(path.join(folder, 'taken'), '');
    await expect(openSqliteStore({ file: path.join(folder, 'taken', 'salvo.db') })).rejects.toMatchObject({
      code: 'STORE_NOT_WRITABLE',
    });
    await expect(openSqliteStore({ file: folder })).rejects.toMatchObject({ code: 'STORE_NOT_WRITABLE' });
  });
});

describe('a run of many trials', () => {
  test('is read page by page: no result of another page is read, and none for where trials are and how they ended', async () => {
    const store = await openSqliteStore({ file });
    await store.createRun(sampleRun());
    for (const trial_number of [1, 2, 3]) {
      await store.saveTrial(sampleStoredTrial({ trial_number, result: sampleTrial({ trial_number }) }));
    }
    const other = new DatabaseSync(file);
    other.exec("UPDATE results SET result = '{' WHERE result ->> 'trial_number' <> 3");
    other.close();
    expect(await store.trialOutcomes('run-1', { offset: 2, limit: 1 })).toMatchObject([{ trial_number: 3 }]);
    await expect(store.trialOutcomes('run-1', { offset: 1, limit: 1 })).rejects.toThrow();
    expect(await Array.fromAsync(store.trialHeads('run-1'), ({ status }) => status)).toEqual(Array(3).fill('passed'));
    await store.close();
  });

  test('takes little more space than its documents: a result does not need a page of its own', async () => {
    const store = await openSqliteStore({ file });
    await store.createRun(sampleRun());
    const [evaluation] = sampleTrial().eval_results;
    let written = 0;
    for (let trial_number = 1; trial_number <= 200; trial_number += 1) {
      const eval_results = evaluation ? Array(4).fill({ ...evaluation, details: 'x'.repeat(90) }) : [];
      const trial = sampleStoredTrial({ trial_number, result: sampleTrial({ trial_number, eval_results }) });
      written += JSON.stringify(trial.result).length;
      await store.saveTrial({ ...trial, result: null });
      await store.saveTrial(trial);
    }
    await store.close();
    expect(written).toBeGreaterThan(200 * 1100);
    expect((await stat(file)).size).toBeLessThan(1.5 * written + 200_000);
  });
});

describe('a damaged store', () => {
  test('says so when a page of it was overwritten', async () => {
    const store = await openSqliteStore({ file });
    for (let trial = 0; trial < 50; trial++) await store.saveTrace(sampleSupportTrace({ latency_seconds: trial }));
    await store.close();
    const bytes = await readFile(file);
    bytes.fill(0xab, 8192);
    await writeFile(file, bytes);
    const read = async () => {
      const damaged = await openSqliteStore({ file });
      try {
        return await Promise.all((await damaged.findTraceIds('', 100)).map(damaged.getTrace));
      } finally {
        await damaged.close();
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'STORE_CORRUPT', message: expect.stringContaining(file) });
  });

  test.each(['DROP TABLE traces', 'DROP TABLE leases', 'ALTER TABLE runs DROP COLUMN salvo_version'])(
    'says so after %s, and is opened by nobody',
    async (sql) => {
      await (await openSqliteStore({ file })).close();
      const other = new DatabaseSync(file);
      other.exec(sql);
      other.close();
      const refused = { code: 'STORE_CORRUPT', message: expect.stringMatching(/lacks a part of its tables/) };
      await expect(openSqliteStore({ file })).rejects.toMatchObject(refused);
      await expect(openSqliteStore({ file, readOnly: true })).rejects.toMatchObject(refused);
    },
  );

  test.each([
    ["UPDATE traces SET document = '{'", 'not JSON'],
    ["UPDATE traces SET document = '[]'", 'not a trace'],
    ['DELETE FROM blobs', 'a text is gone'],
    ["UPDATE blobs SET text = x'00ff'", 'a compressed text is broken'],
  ])('says so after %s (%s)', async (sql) => {
    const store = await openSqliteStore({ file });
    const id = await store.saveTrace(sampleSupportTrace());
    const other = new DatabaseSync(file);
    other.exec(sql);
    other.close();
    await expect(store.getTrace(id)).rejects.toMatchObject({ code: 'STORE_UNREADABLE' });
    await store.close();
  });
});
