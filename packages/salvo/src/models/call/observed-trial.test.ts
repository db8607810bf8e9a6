import { expect, it } from 'vitest';
import { startWorkClock } from '../../adapters/call/work-clock.ts';
import { UNPAID } from '../budget/budget.ts';
import { createPricing } from '../budget/prices.ts';
import { createLimiter } from './limiter.ts';
import { observedTrial } from './observed-trial.ts';

const REQUEST = { provider: 'openai', model: 'm', bytes: 10, maxTokens: undefined, tools: [], place: 0 };

/** A trial on a clock that goes on only while the limiter sleeps. */
function trialWith(limits: { max_concurrency?: number; requests_per_minute?: number }) {
  let seconds = 0;
  const sleep = async (duration: number): Promise<void> => {
    seconds += duration;
  };
  const limiter = createLimiter({ ...limits, now: () => seconds, sleep });
  const clock = startWorkClock({ seconds: 10, timeoutError: () => new Error('late'), now: () => seconds * 1000 });
  const trial = observedTrial(
    { pricing: createPricing(), budget: { admit: async () => UNPAID }, limiter, clock },
    () => {},
  );
  const { signal } = new AbortController();
  return { clock, admit: () => trial.admit(REQUEST, signal), seconds: () => seconds };
}

it('lets no more requests begin in a minute than allowed, and the wait is no time of the trial', async () => {
  const { admit, clock, seconds } = trialWith({ requests_per_minute: 2 });
  for (let request = 0; request < 2; request += 1) (await admit()).notCharged();
  expect(seconds()).toBe(0);
  (await admit()).notCharged();
  expect(seconds()).toBeGreaterThanOrEqual(60);
  expect(clock.workedSeconds()).toBe(0);
  clock[Symbol.dispose]();
});

it('keeps the place of a request until it has ended, however it ends', async () => {
  const { admit, clock } = trialWith({ max_concurrency: 1 });
  const order: string[] = [];
  for (const end of ['answered', 'maybeCharged', 'notCharged'] as const) {
    const first = await admit();
    const second = admit().then((admitted) => {
      order.push(`after ${end}`);
      return admitted;
    });
    await new Promise(setImmediate);
    order.push(end);
    await first[end](null, undefined);
    (await second).notCharged();
  }
  expect(order).toEqual([
    'answered',
    'after answered',
    'maybeCharged',
    'after maybeCharged',
    'notCharged',
    'after notCharged',
  ]);
  clock[Symbol.dispose]();
});
