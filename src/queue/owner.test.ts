import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { newId } from './new-id.ts';
import { type Owner, refuseIfAtWork, thisProcess } from './owner.ts';

const refuse =
  (status: string, owner: Owner | null, kind: 'run' | 'experiment' = 'run') =>
  () =>
    refuseIfAtWork({ kind, id: 'abc', status, owner });
/** A process that certainly lives and is not this one. */
const parent = { pid: process.ppid, host: hostname() };

test('work of another living process is refused, and the process named', () => {
  expect(refuse('running', parent)).toThrow(
    expect.objectContaining({
      code: 'RUN_AT_WORK',
      message: expect.stringContaining(`Run abc is still at work in process ${process.ppid}`),
    }),
  );
  expect(refuse('running', parent, 'experiment')).toThrow(
    expect.objectContaining({ code: 'EXPERIMENT_AT_WORK', message: expect.stringContaining('Experiment abc') }),
  );
});

test('work is free when it has no owner, belongs to this process, or is over', () => {
  expect(refuse('running', null)).not.toThrow();
  expect(refuse('running', thisProcess())).not.toThrow();
  expect(refuse('interrupted', parent)).not.toThrow();
});

test('work of another machine is free: this machine cannot see whether its process lives', () => {
  expect(refuse('running', { ...parent, host: 'elsewhere' })).not.toThrow();
});

test('work is free once its process is gone', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  expect(refuse('running', { pid: child.pid ?? 0, host: hostname() })).not.toThrow();
});

test('ids are ten characters that cannot be confused, and differ', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[2-9a-hjkmnp-tv-z]{10}$/);
});
