import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isGone, thisHolder } from './lease.ts';
import { newId } from './new-id.ts';

test('a holder is gone once its process has ended', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  expect(isGone({ ...thisHolder(), pid: child.pid ?? 0 })).toBe(true);
});

test('a process that is there is not gone', () => {
  expect(isGone(thisHolder())).toBe(false);
  expect(isGone({ ...thisHolder(), pid: process.ppid, started: '' })).toBe(false);
});

test('a process of another machine or namespace may be there', () => {
  expect(isGone({ pid: 2 ** 22 + 1, started: '', place: 'elsewhere:1' })).toBe(false);
});

test.runIf(existsSync('/proc/self/stat'))('a process id that was used again is gone', () => {
  expect(isGone({ ...thisHolder(), started: '1' })).toBe(true);
});

test.runIf(existsSync('/proc/self/stat'))('a zombie is gone', async () => {
  // The shell becomes `sleep`, which never asks how its child ended. Until then the child waits for a line.
  const script = 'exec 3<&0; (read line <&3) & echo $!; exec sleep 60';
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  try {
    const [line] = await once(child.stdout, 'data');
    const pid = Number(String(line).trim());
    await expect.poll(() => readFileSync(`/proc/${child.pid}/comm`, 'utf8')).toContain('sleep');
    child.stdin.write('\n');
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
    expect(isGone({ ...thisHolder(), pid, started: 'any' })).toBe(true);
  } finally {
    child.kill('SIGKILL');
  }
});

test('ids are ten characters that cannot be confused, and differ', () => {
  const ids = Array.from({ length: 100 }, newId);
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^[2-9a-hjkmnp-tv-z]{10}$/);
});
