import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sampleTrace } from '../../../../test/sample-trace.ts';
import { scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { callUserCheck } from './user-check.ts';

const scenario = { ...scenarioFieldsSchema.parse({ prompt: 'hi', timeout_seconds: 0.02 }), name: 's', assertions: [] };
const given = { trace: sampleTrace(), context: { scenario }, name: 'slow' };
const message = 'slow did not end within 0.02 s (timeout_seconds of the scenario).';

test('a check that never ends is given up when the time of a trial is over', async () => {
  await expect(callUserCheck(given, () => new Promise(() => {}))).rejects.toThrow(message);
});

test('a check that ends too late does not count, also if it never gave up control', async () => {
  const busy = () => {
    const end = performance.now() + 30;
    while (performance.now() < end);
    return true;
  };
  await expect(callUserCheck(given, busy)).rejects.toThrow(message);
});

test('a check is told that its time is over', async () => {
  const told = Promise.withResolvers<boolean>();
  const called = callUserCheck(given, async (_, { signal }) => {
    await setTimeout(10_000, null, { signal }).catch(() => {});
    told.resolve(signal.aborted);
  });
  await expect(called).rejects.toThrow(message);
  expect(await told.promise).toBe(true);
});
