import { get } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../scenario/schema/workspace-schema.ts';
import type { WatchedProgram } from '../watched-program.ts';

/** 127.0.0.1 and not localhost, which may be another server at ::1. */
export const SERVICE_HOST = '127.0.0.1';
const FIRST_WAIT_MS = 20;
const LONGEST_WAIT_MS = 250;
const CALL_MS = 2000;

/** Waits until a service is up. Rejects when the signal is aborted; returns also if the service has ended. */
export async function untilReady(
  program: WatchedProgram,
  { ready, port, signal }: { ready: Service['ready']; port: number; signal: AbortSignal },
): Promise<void> {
  if (typeof ready === 'object' && 'line' in ready) {
    const { line } = ready;
    return program.until(() => program.output.includes(line), signal);
  }
  const isUp = () => (ready === 'tcp' ? accepts(port) : answers(port, ready.http));
  for (let wait = FIRST_WAIT_MS; program.end === null; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    signal.throwIfAborted();
    if (await isUp()) return;
    await sleep(wait, undefined, { signal });
  }
}

function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host: SERVICE_HOST, timeout: CALL_MS });
  socket.once('connect', () => resolve(true));
  socket.once('timeout', () => resolve(false));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

function answers(port: number, path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const request = get({ port, host: SERVICE_HOST, path, timeout: CALL_MS, agent: false }, ({ statusCode = 0 }) =>
    resolve(statusCode >= 200 && statusCode < 400),
  );
  request.once('timeout', () => resolve(false));
  request.on('error', () => resolve(false));
  return promise.finally(() => request.destroy());
}
