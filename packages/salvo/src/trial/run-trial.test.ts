import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TRIAL_CONTEXT } from '../../../../test/sample-trial-context.ts';
import type { Adapter, AdapterConfig } from '../adapters/adapter.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import type { CallBudget } from '../models/budget/budget.ts';
import { createBudget } from '../models/budget/create-budget.ts';
import { createLimiter, type Limiter } from '../models/call/limiter.ts';
import { createOutages } from '../models/call/outages.ts';
import { scenarioFieldsSchema } from '../scenario/schema/scenario-schema.ts';
import { runTrial } from './run-trial.ts';
import { scenarioTools } from './tools/scenario-tools.ts';

const done = { content: 'Done.', tool_calls: [], usage: null, finish_reason: 'stop', raw_response: null };

function run(
  sendTurn: Adapter['sendTurn'],
  options: {
    fields?: Record<string, unknown>;
    name?: string;
    seed?: number;
    abort?: AbortSignal;
    budget?: CallBudget;
    limiter?: Limiter;
    stop?: AbortSignal;
    maxRetries?: number;
    provider?: string;
    isDefaultModel?: boolean;
  } = {},
) {
  const {
    fields = {},
    name = 'test',
    seed = 1,
    abort = new AbortController().signal,
    budget = createBudget(null),
  } = options;
  return runTrial({
    runId: 'run',
    caseName: null,
    prepared: {
      scenario: { ...scenarioFieldsSchema.parse({ prompt: 'Please.', ...fields }), name, assertions: [] },
      file: '/s.yaml',
      relativeFile: 's.yaml',
      hash: 'hash',
      adapterName: 'test',
      model: 'm',
      isDefaultModel: options.isDefaultModel,
      adapter: { providerName: () => options.provider ?? 'test', sendTurn },
      limiter: options.limiter ?? createLimiter({}),
      tools: scenarioTools([]),
    },
    trialNumber: 1,
    context: TRIAL_CONTEXT,
    budget,
    services: {
      pricing: { priceTurn: async () => 0.25 },
      retry: { maxRetries: options.maxRetries ?? 0, baseDelaySeconds: 3600, maxDelaySeconds: 3600 },
      stop: options.stop,
      outageOf: createOutages(),
      seed,
      abort,
      onRetry: () => {},
    },
  });
}
const never: Adapter['sendTurn'] = (_, __, { signal }) =>
  new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('stopped'))));

test('a trial that takes longer than its time is stopped, and says so', async () => {
  const trace = await run(never, { fields: { timeout_seconds: 0.02 } });
  expect(trace).toMatchObject({ finish_reason: 'timeout', error: 'no end after 0.02 s (timeout_seconds)' });
});

test('a trial of an agent in this process that did not yield until its time was over has no answer', async () => {
  const busy: Adapter['sendTurn'] = async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    return done;
  };
  const trace = await run(busy, { fields: { timeout_seconds: 0.02 } });
  expect(trace).toMatchObject({ finish_reason: 'timeout', final_content: null });
});

test('a time limit of years is a limit, not an immediate end', async () => {
  const trace = await run(async () => done, { fields: { timeout_seconds: 1e9 } });
  expect(trace).toMatchObject({ final_content: 'Done.', error: null });
});

test('a trial is interrupted by the user in its midst, or before it begins', async () => {
  const abort = new AbortController();
  const running = run(never, { abort: abort.signal });
  abort.abort();
  expect(await running).toMatchObject({ finish_reason: 'interrupted' });
  expect(await run(async () => done, { abort: abort.signal })).toMatchObject({ finish_reason: 'interrupted' });
});

test('nothing is sent that cannot be paid for, and what is sent is counted', async () => {
  const budget = createBudget(0.4);
  expect(await run(async () => done, { budget })).toMatchObject({ cost_usd: 0.25, error: null });
  const unexpected = () => Promise.reject(new Error('an unexpected request'));
  const error = 'another call could exceed the budget of $0.4; $0.25 is spent';
  expect(await run(unexpected, { budget })).toMatchObject({
    finish_reason: 'budget',
    error,
    turn_count: 0,
    cost_usd: 0,
  });
});

test('an agent that does not name its model is not priced by the default model of the project', async () => {
  const counted = { ...done, usage: { input_tokens: 1, output_tokens: 1 } };
  const own = { provider: 'exec', isDefaultModel: true };
  expect(await run(async () => counted, own)).toMatchObject({ cost_usd: null });
  expect(await run(async () => ({ ...counted, model: 'm' }), own)).toMatchObject({ cost_usd: 0.25 });
  expect(await run(async () => counted, { ...own, isDefaultModel: false })).toMatchObject({ cost_usd: 0.25 });
  expect(await run(async () => counted, { ...own, provider: 'openai' })).toMatchObject({ cost_usd: 0.25 });
});

test('the cost of a trial that was stopped while a request was under way is unknown, not 0', async () => {
  const trace = await run(never, { fields: { timeout_seconds: 0.02 } });
  expect(trace).toMatchObject({ finish_reason: 'timeout', cost_usd: null, input_tokens: null });
});

test('random choices depend on the seed and the scenario only', async () => {
  const seedOf = async (options: { name?: string; seed?: number }) => {
    const seen: AdapterConfig['conversation'][] = [];
    await run(async (_, __, { conversation }) => {
      seen.push(conversation);
      return done;
    }, options);
    return seen[0]?.seed;
  };
  const seed = await seedOf({ name: 'a', seed: 1 });
  expect(await seedOf({ name: 'a', seed: 1 })).toBe(seed);
  expect(await seedOf({ name: 'a', seed: 2 })).not.toBe(seed);
  expect(await seedOf({ name: 'b', seed: 1 })).not.toBe(seed);
});

describe('an hour in a queue', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const HOUR_MS = 3_600_000;

  test('of the limiter counts neither as latency nor against the time limit', async () => {
    const limiter = createLimiter({ max_concurrency: 1 });
    const place = Promise.withResolvers<void>();
    const other = limiter.run(() => place.promise);
    const work = () => new Promise<typeof done>((resolve) => setTimeout(resolve, 7_000, done));
    const trial = run(work, { fields: { timeout_seconds: 10 }, limiter });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    place.resolve();
    await other;
    await vi.advanceTimersByTimeAsync(7_000);
    expect(await trial).toMatchObject({ final_content: 'Done.', error: null, latency_seconds: 7 });
  });

  test('of the budget does not count either', async () => {
    const slow: CallBudget = {
      async admit() {
        await new Promise((resolve) => setTimeout(resolve, HOUR_MS));
        return { paid: () => 0, maybePaid: () => 0, notPaid: () => {} };
      },
    };
    const trial = run(async () => done, { budget: slow, fields: { timeout_seconds: 10 } });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(await trial).toMatchObject({ final_content: 'Done.', error: null, latency_seconds: 0 });
  });

  test('of the adapter does not count either', async () => {
    const trial = run(
      async (_, __, { whileWaiting }) => {
        await whileWaiting?.(() => new Promise((resolve) => setTimeout(resolve, HOUR_MS)));
        return done;
      },
      { fields: { timeout_seconds: 10 } },
    );
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(await trial).toMatchObject({ final_content: 'Done.', error: null, latency_seconds: 0 });
  });

  test('is followed by the whole time limit, and no more', async () => {
    const limiter = createLimiter({ max_concurrency: 1 });
    const place = Promise.withResolvers<void>();
    const other = limiter.run(() => place.promise);
    const trial = run(never, { fields: { timeout_seconds: 10 }, limiter });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    place.resolve();
    await other;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await trial).toMatchObject({ finish_reason: 'timeout', latency_seconds: 10 });
  });
});

test('an agent that computes without a pause until its time is over does not pass', async () => {
  const trace = await run(
    async () => {
      const end = performance.now() + 80;
      while (performance.now() < end);
      return done;
    },
    { fields: { timeout_seconds: 0.05 } },
  );
  expect(trace).toMatchObject({ finish_reason: 'timeout', error_code: 'TRIAL_TIMEOUT' });
});

describe('when the user stops the run', () => {
  const busy = new AdapterError('overloaded', 'busy');

  test('a trial that waits for its first answer is given up', async () => {
    const stop = new AbortController();
    const trial = run(
      async () => {
        setImmediate(() => stop.abort());
        throw busy;
      },
      { stop: stop.signal, maxRetries: 9, fields: { timeout_seconds: 1e6 } },
    );
    expect(await trial).toMatchObject({ finish_reason: 'interrupted' });

    const waiting = new AbortController();
    const limiter = createLimiter({ max_concurrency: 1 });
    void limiter.run(() => new Promise(() => {}));
    const queued = run(async () => done, { stop: waiting.signal, limiter });
    waiting.abort();
    expect(await queued).toMatchObject({ finish_reason: 'interrupted' });
  });

  test('a request that was sent is answered', async () => {
    const stop = new AbortController();
    const trial = run(
      async () => {
        stop.abort();
        return done;
      },
      { stop: stop.signal },
    );
    expect(await trial).toMatchObject({ finish_reason: 'stop', final_content: 'Done.' });
  });
});
