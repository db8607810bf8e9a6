import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredTrial } from '../../packages/salvo/src/run/record/run-record.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { AS_SOURCES } from '../source-process.ts';

const WRITER = fileURLToPath(new URL('./store-writer.ts', import.meta.url));
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'salvo-processes-'));
  file = path.join(folder, '.salvo', 'salvo.db');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function startWriter(name: string, trials: number) {
  return spawn(process.execPath, [...AS_SOURCES, WRITER, file, name, String(trials)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('processes that create one store at the same moment, and write to it together, lose nothing', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const ends = names.map(async (name) => {
    const child = startWriter(name, 40);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    return { code, stderr };
  });
  expect(await Promise.all(ends)).toEqual(names.map(() => ({ code: 0, stderr: '' })));

  const store = await openSqliteStore({ file });
  expect((await store.findRunIds('', 100)).sort()).toEqual(names);
  for (const name of names) {
    const trials = await Array.fromAsync(store.trials(name));
    expect(trials.map((trial) => trial.trial_number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    for (const trial of trials) await expectWhole(trial);
  }
  await store.close();

  async function expectWhole({ run_id, trial_number, trace_id, result }: StoredTrial) {
    const content = `${run_id} ${trial_number} `.repeat(100);
    expect(result?.error_message).toBe(content);
    expect((await store.getTrace(trace_id ?? ''))?.final_content).toBe(content);
  }
});

test('a writer that is killed leaves every trial that was reported as stored, and no half of one', async () => {
  const child = startWriter('killed', 1_000_000);
  let reported = '';
  for await (const chunk of child.stdout) {
    reported += chunk;
    if (reported.includes('\n25\n')) break;
  }
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  const last = Number(reported.trim().split('\n').at(-1));

  const store = await openSqliteStore({ file });
  const trials = await Array.fromAsync(store.trials('killed'));
  expect(trials.length).toBeGreaterThanOrEqual(last);
  expect(trials.slice(0, last).every((trial) => trial.result !== null)).toBe(true);
  for (const { trace_id } of trials) expect(await store.getTrace(trace_id ?? '')).not.toBeNull();
  await store.close();
});
