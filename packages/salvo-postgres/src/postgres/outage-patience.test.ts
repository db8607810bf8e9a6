import { expect, test } from 'vitest';
import { OUTAGE_SECONDS } from '../../../salvo/src/store/database-url.ts';
import { createOutagePatience } from './outage-patience.ts';

const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const CONFLICT = Object.assign(new Error('deadlock detected'), { code: '40P01' });
const at = { place: 'db:5432/evals', database: 'evals', user: 'me' };

/** A database that fails for so long, by a clock on which waiting takes no time. */
function outage(
  seconds: number,
  { error = REFUSED, outageSeconds = OUTAGE_SECONDS, signal = undefined as AbortSignal | undefined } = {},
) {
  let ms = 0;
  const said: string[] = [];
  const clock = {
    now: () => ms,
    sleep: async (pause: number) => {
      ms += pause;
    },
  };
  const patience = { seconds: 60, outageSeconds, signal, onWaiting: (message: string) => said.push(message) };
  const patiently = createOutagePatience({ at, patience, isClosing: () => false, clock });
  const attempt = async () => {
    if (ms < seconds * 1000) throw error;
    return 'answer';
  };
  return { patiently, attempt, said, waited: () => ms / 1000 };
}

test.each([10, 600, 3500])('work under way survives an outage of %d s', async (seconds) => {
  const { patiently, attempt, waited } = outage(seconds);
  expect(await Promise.all([patiently(attempt), patiently(attempt)])).toEqual(['answer', 'answer']);
  expect(waited()).toBeLessThan(seconds + 10);
});

test('the user hears of a long outage every two minutes, and of its end', async () => {
  const { patiently, attempt, said } = outage(600);
  await patiently(attempt);
  expect(said).toHaveLength(6);
  expect(said[0]).toMatch(
    /^The database db:5432\/evals can't be reached for [567] s \(connect ECONNREFUSED\)\. The work goes on when it is back; it is waited for up to 3600 s \(`salvo ... --wait SECONDS`\)\.$/,
  );
  expect(said.at(-1)).toMatch(/ is back after 60[012] s\.$/);
});

test('a restart of a few seconds is nothing to talk about', async () => {
  const { patiently, attempt, said } = outage(4);
  await patiently(attempt);
  expect(said).toEqual([]);
});

test('the patience ends after --wait seconds, and for all attempts together', async () => {
  const { patiently, attempt, waited } = outage(3600, { outageSeconds: 30 });
  await expect(patiently(attempt)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE', outcome: 'unscored' });
  expect(waited()).toBeLessThan(35);
  await expect(patiently(attempt)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
  expect(waited()).toBeLessThan(40);
});

test('who has asked to stop waits no longer than a minute', async () => {
  const { patiently, attempt, waited } = outage(3600, { signal: AbortSignal.abort() });
  await expect(patiently(attempt)).rejects.toMatchObject({ code: 'DATABASE_UNREACHABLE' });
  expect(waited()).toBeLessThan(65);
});

test('transactions that are in each other’s way are repeated for a minute, without a word', async () => {
  expect(await (({ patiently, attempt }) => patiently(attempt))(outage(50, { error: CONFLICT }))).toBe('answer');
  const { patiently, attempt, said } = outage(100, { error: CONFLICT });
  await expect(patiently(attempt)).rejects.toBe(CONFLICT);
  expect(said).toEqual([]);
});
