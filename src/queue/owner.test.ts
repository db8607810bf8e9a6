import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { sampleRun } from '../../test/store/store-samples.ts';
import { refuseIfAtWork, thisProcess } from './owner.ts';

const refuse = (change: Parameters<typeof sampleRun>[0]) => () => refuseIfAtWork(sampleRun(change));
/** A process that certainly lives, and is not this one. */
const parent = { pid: process.ppid, host: hostname() };

test('a run that another living process is at work on is refused, and the process named', () => {
  expect(refuse({ status: 'running', owner: parent })).toThrow(`still at work in process ${process.ppid}`);
});

test('a run is free when nobody works on it, it is our own, or it is over', () => {
  expect(refuse({ status: 'running', owner: null })).not.toThrow();
  expect(refuse({ status: 'running', owner: thisProcess() })).not.toThrow();
  expect(refuse({ status: 'interrupted', owner: parent })).not.toThrow();
});

test('a run on another machine is free: whether its process lives cannot be told from here', () => {
  expect(refuse({ status: 'running', owner: { ...parent, host: 'elsewhere' } })).not.toThrow();
});

test('a run is free once its process is gone', async () => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  expect(refuse({ status: 'running', owner: { pid: child.pid ?? 0, host: hostname() } })).not.toThrow();
});
