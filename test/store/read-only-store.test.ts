import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../packages/salvo/src/store/sqlite/migrate.ts';
import { MIGRATIONS } from '../../packages/salvo/src/store/sqlite/migrations.ts';
import { openSqliteStore } from '../../packages/salvo/src/store/sqlite/sqlite-store.ts';
import { sampleRun } from '../sample-run.ts';

const KILLED_WRITER = fileURLToPath(new URL('./killed-writer.ts', import.meta.url));
let folder: string;
let file: string;
let mounted: boolean;

/** A disk of its own in memory. Not everybody may mount one. */
function mount(options: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
}
const remount = (options: string): void => {
  expect(spawnSync('mount', ['-o', `remount,${options}`, folder]).status).toBe(0);
};

beforeEach(async (context) => {
  folder = await mkdtemp(path.join(tmpdir(), 'salvo-read-only-'));
  file = path.join(folder, '.salvo', 'salvo.db');
  mounted = mount('size=2m');
  if (!mounted) context.skip('a disk cannot be mounted here');
});
afterEach(async () => {
  if (mounted) spawnSync('umount', [folder]);
  await rm(folder, { recursive: true, force: true });
});

async function storedRuns(): Promise<string[]> {
  const store = await openSqliteStore({ file, readOnly: true });
  try {
    return (await store.listRuns()).map(({ run_id }) => run_id);
  } finally {
    await store.close();
  }
}

async function writeRun(): Promise<void> {
  const store = await openSqliteStore({ file });
  await store.createRun(sampleRun());
  await store.close();
}

/** A process that was killed leaves its last writes in the log. */
function writeRunAndDie(): void {
  expect(spawnSync(process.execPath, [KILLED_WRITER, file]).signal).toBe('SIGKILL');
}

async function fillDisk(): Promise<void> {
  for (let size = 1_000_000; size >= 1; size = Math.floor(size / 2)) {
    for (let index = 0; index < 4; index++) {
      await writeFile(path.join(folder, `fill-${size}-${index}`), Buffer.alloc(size)).catch(() => {});
    }
  }
}

describe.each([
  ['read-only', async () => remount('ro')],
  ['full', fillDisk],
])('a store on a %s disk can be read', (_, spoil) => {
  test('after its last writer closed it', async () => {
    await writeRun();
    await spoil();
    expect(await storedRuns()).toEqual(['run-1']);
  });

  test('after its last writer was killed', async () => {
    writeRunAndDie();
    await spoil();
    expect(await storedRuns()).toEqual(['run-1']);
  });

  test('after its last writer was killed, without the file that shares the log', async () => {
    writeRunAndDie();
    await rm(`${file}-shm`);
    await spoil();
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('salvo-copy-'));
    expect(await storedRuns()).toEqual(['run-1']);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('salvo-copy-'))).toEqual(before);
  });
});

test('a store of an earlier version is read on a read-only disk', async () => {
  await mkdir(path.dirname(file));
  const database = new DatabaseSync(file);
  migrate(database, file, { migrations: MIGRATIONS.slice(0, 4) });
  database
    .prepare("INSERT INTO runs VALUES (1, 'run-1', 't', null, 'finished', 'PASS', 0, '0.1.0', null, ?)")
    .run(JSON.stringify(sampleRun().options));
  database.close();
  remount('ro');
  expect(await storedRuns()).toEqual(['run-1']);
});

test('writing to a read-only disk is refused as it is opened, and leaves nothing behind', async () => {
  await mkdir(path.dirname(file));
  await writeRun();
  remount('ro');
  const open = async () => {
    const store = await openSqliteStore({ file });
    await store.createRun(sampleRun({ run_id: 'run-2' })).finally(() => store.close());
  };
  await expect(open()).rejects.toMatchObject({ code: 'STORE_NOT_WRITABLE' });
  expect(await storedRuns()).toEqual(['run-1']);
});

test('a disk that becomes full is no fault of what was asked for, and keeps what was stored', async () => {
  const store = await openSqliteStore({ file });
  await store.createRun(sampleRun());
  await fillDisk();
  const write = async () => {
    for (let index = 2; index < 2000; index++) await store.createRun(sampleRun({ run_id: `run-${index}` }));
  };
  await expect(write()).rejects.toMatchObject({ code: 'STORE_FULL', outcome: 'unscored' });
  await store.close();
  expect(await storedRuns()).toContain('run-1');
}, 20_000);
