import timers from 'node:timers';
import { afterAll, beforeAll } from 'vitest';

const real = timers.setTimeout;

// Test files share a process. After one that leaves a false timer behind, a later one would wait for ever.
beforeAll(() => assertRealTimers('A file before this one in its process'));
afterAll(() => assertRealTimers('This file'));

function assertRealTimers(culprit: string): void {
  if (globalThis.setTimeout === real) return;
  globalThis.setTimeout = real;
  throw new Error(`${culprit} left a false setTimeout: call vi.useRealTimers(), and spy on no false timer.`);
}
