import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Adapter, AdapterConfig, AdapterTurnResult } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { startWorkClock } from '../../adapters/call/work-clock.ts';
import { type AdmittedCall, BudgetError, type CallBudget } from '../budget/budget.ts';
import { createPricing } from '../budget/prices.ts';
import { createLimiter } from './limiter.ts';
import { createOutages } from './outages.ts';
import { type SendRequestOptions, sendRequest } from './send-with-retries.ts';

const ANSWER: AdapterTurnResult = {
  content: 'ok',
  tool_calls: [],
  usage: null,
  finish_reason: 'stop',
  raw_response: null,
};

/** An adapter that throws these, one per request, and then answers. */
function failing(errors: unknown[]): Adapter & { configs: AdapterConfig[] } {
  const configs: AdapterConfig[] = [];
  return {
    configs,
    providerName: () => 'fake',
    async sendTurn(_messages, _tools, config) {
      configs.push(config);
      if (configs.length <= errors.length) throw errors[configs.length - 1];
      return ANSWER;
    },
  };
}

function send(adapter: Adapter, options: Partial<SendRequestOptions> = {}) {
  const waits: number[] = [];
  const sent = sendRequest({
    adapter,
    messages: [],
    tools: [],
    config: { model: 'm' },
    pricing: createPricing(),
    costOf: async () => ({ usd: 0.5 }),
    retry: { maxRetries: 3, baseDelaySeconds: 1, maxDelaySeconds: 5 },
    random: () => 1,
    sleep: async (seconds) => void waits.push(seconds),
    ...options,
  });
  return { sent, waits };
}

const overloaded = new AdapterError('overloaded', 'busy', { status: 529 });

describe('a request that fails', () => {
  it('is sent again, later each time, until it succeeds; each retry is reported with its reason', async () => {
    const records: unknown[] = [];
    const { sent, waits } = send(failing([overloaded, overloaded, overloaded]), {
      onRetry: (record) => records.push(record),
    });
    expect(await sent).toEqual({ result: ANSWER, costUsd: 0.5, requests: 4, latencySeconds: expect.any(Number) });
    expect(waits).toEqual([1, 2, 4]);
    expect(records).toEqual([
      { attempt: 1, reason: 'busy', code: 'ADAPTER_OVERLOADED', status: 529, delay_seconds: 1 },
      { attempt: 2, reason: 'busy', code: 'ADAPTER_OVERLOADED', status: 529, delay_seconds: 2 },
      { attempt: 3, reason: 'busy', code: 'ADAPTER_OVERLOADED', status: 529, delay_seconds: 4 },
    ]);
  });

  it('fails after the last retry, with the last error', async () => {
    const last = new AdapterError('server', 'still down', { status: 500 });
    const adapter = failing([overloaded, overloaded, overloaded, last]);
    await expect(send(adapter).sent).rejects.toBe(last);
    expect(adapter.configs).toHaveLength(4);
  });

  it.each(['auth', 'not_found', 'bad_request', 'bad_response', 'missing_dependency', 'aborted'] as const)(
    'is not sent again when the reason is %s',
    async (kind) => {
      const adapter = failing([new AdapterError(kind, 'no')]);
      await expect(send(adapter).sent).rejects.toMatchObject({ kind });
      expect(adapter.configs).toHaveLength(1);
    },
  );

  it.each([new TypeError('x is undefined'), 'a string', null])(
    'is a bad response and not sent again when the adapter itself breaks: %s',
    async (thrown) => {
      const adapter = failing([thrown]);
      await expect(send(adapter).sent).rejects.toMatchObject({ kind: 'bad_response', cause: thrown });
      expect(adapter.configs).toHaveLength(1);
    },
  );

  it('is a request of its own in the conversation each time', async () => {
    const adapter = failing([overloaded, overloaded]);
    const conversation = { seed: 1, trialNumber: 2, request: 5 };
    await send(adapter, { config: { model: 'm', conversation } }).sent;
    expect(adapter.configs.map((config) => config.conversation)).toEqual([
      { seed: 1, trialNumber: 2, request: 5 },
      { seed: 1, trialNumber: 2, request: 6 },
      { seed: 1, trialNumber: 2, request: 7 },
    ]);
    expect(conversation.request).toBe(5);
  });
});

describe('the wait before a retry', () => {
  const waitFor = async (retryAfterSeconds: number | undefined) => {
    const { sent, waits } = send(failing([new AdapterError('rate_limit', 'slow', { status: 429, retryAfterSeconds })]));
    await sent;
    return waits;
  };

  it('is what the server asks for, also beyond our own limit', async () => {
    expect(await waitFor(3)).toEqual([3]);
    expect(await waitFor(60)).toEqual([60]);
  });

  it.each([61, 10_000, 86_400])(
    'is not made when the server asks for %s s: the request fails and names it',
    async (s) => {
      const adapter = failing([new AdapterError('rate_limit', 'Slow down.', { status: 429, retryAfterSeconds: s })]);
      const { sent, waits } = send(adapter);
      const message = `Slow down. It asks to wait ${s} s before the next request; Salvo waits 60 s at most.`;
      await expect(sent).rejects.toMatchObject({ kind: 'rate_limit', status: 429, message });
      expect(waits).toEqual([]);
      expect(adapter.configs).toHaveLength(1);
    },
  );

  it('is not made when the time of the work would be over by then', async () => {
    using clock = startWorkClock({ seconds: 10, timeoutError: () => new Error('late'), now: () => 0 });
    const slow = new AdapterError('rate_limit', 'Slow down.', { retryAfterSeconds: 12 });
    await expect(send(failing([slow]), { clock }).sent).rejects.toThrow(
      'Slow down. It asks to wait 12 s before the next request; only 10 s are left.',
    );
    const many = failing(Array(9).fill(overloaded));
    const retry = { maxRetries: 9, baseDelaySeconds: 4, maxDelaySeconds: 60 };
    const { sent, waits } = send(many, { clock, retry });
    await expect(sent).rejects.toBe(overloaded);
    expect(waits).toEqual([4, 8]);
  });

  it('is our own when the server asks for none', async () => {
    expect(await waitFor(0)).toEqual([1]);
    expect(await waitFor(undefined)).toEqual([1]);
  });

  it('lies between half and all of the doubled delay, and never above the longest', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 12 }),
        async (chance, n) => {
          const { sent, waits } = send(failing(Array(n).fill(overloaded)), {
            random: () => chance,
            retry: { maxRetries: n, baseDelaySeconds: 0.5, maxDelaySeconds: 8 },
          });
          await sent;
          expect(waits).toHaveLength(n);
          waits.forEach((wait, attempt) => {
            const ceiling = Math.min(8, 0.5 * 2 ** attempt);
            expect(wait).toBeGreaterThanOrEqual(ceiling / 2);
            expect(wait).toBeLessThanOrEqual(ceiling);
          });
        },
      ),
    );
  });

  it("does not hold the adapter's slot", async () => {
    const limiter = createLimiter({ max_concurrency: 1 });
    let during: string | undefined;
    const { sent } = send(failing([overloaded]), {
      limiter,
      sleep: async () => {
        during = await limiter.run(async () => 'another request');
      },
    });
    await sent;
    expect(during).toBe('another request');
  });

  it('ends at once when the run is stopped', async () => {
    const controller = new AbortController();
    const adapter = failing([overloaded, overloaded]);
    const sent = sendRequest({
      adapter,
      messages: [],
      tools: [],
      config: { model: 'm', signal: controller.signal },
      pricing: createPricing(),
      costOf: async () => ({ usd: 0.5 }),
      retry: { maxRetries: 3, baseDelaySeconds: 3600, maxDelaySeconds: 3600 },
      onRetry: () => controller.abort(),
    });
    await expect(sent).rejects.toMatchObject({ kind: 'aborted' });
    expect(adapter.configs).toHaveLength(1);
  });
});

describe('a model that cannot be called', () => {
  const lasting = ['auth', 'not_found', 'missing_dependency'] as const;
  const noHost = new AdapterError('connection', 'no host', { cause: networkError('ENOTFOUND') });
  const refused = new AdapterError('connection', 'refused', {
    cause: new Error('fetch failed', { cause: new AggregateError([networkError('ECONNREFUSED')]) }),
  });

  it.each(lasting)('is not asked again after one error of the kind %s', async (kind) => {
    const outage = createOutages()('a', 'm');
    const first = new AdapterError(kind, 'no');
    await expect(send(failing([first]), { outage }).sent).rejects.toBe(first);
    const adapter = failing([]);
    await expect(send(adapter, { outage }).sent).rejects.toBe(first);
    expect(adapter.configs).toHaveLength(0);
  });

  it('is tried once if its host has no address, and three times if nothing listens there', async () => {
    for (const [error, requests] of [
      [noHost, 1],
      [refused, 3],
      [new AdapterError('connection', 'bad port'), 3],
    ] as const) {
      const outage = createOutages()('a', 'm');
      const adapter = failing(Array(9).fill(error));
      const retry = { maxRetries: 8, baseDelaySeconds: 0, maxDelaySeconds: 0 };
      await expect(send(adapter, { outage, retry }).sent).rejects.toBe(error);
      expect(adapter.configs).toHaveLength(requests);
      expect(outage.proof).toBe(error);
    }
  });

  it('is given up after two failures in a row if it has answered before', async () => {
    const outage = createOutages()('a', 'm');
    const no = new AdapterError('auth', 'no');
    const ask = (errors: unknown[]) => send(failing(errors), { outage }).sent;
    await ask([]);
    await expect(ask([no])).rejects.toBe(no);
    await ask([]);
    await expect(ask([no])).rejects.toBe(no);
    expect(outage.proof).toBeNull();
    await expect(ask([no])).rejects.toBe(no);
    expect(outage.proof).toBe(no);
  });

  it('is not given up for errors that depend on the request or pass with time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.constantFrom(
            ...(['bad_request', 'content_filter', 'rate_limit', 'overloaded', 'server', 'timeout'] as const),
            'connection' as const,
            ...(['bad_response', 'script_exhausted', 'aborted', 'crashed', 'agent_provider'] as const),
          ),
          { minLength: 1, maxLength: 20 },
        ),
        async (kinds) => {
          const outage = createOutages()('a', 'm');
          for (const kind of kinds) {
            const adapter = failing(Array(9).fill(new AdapterError(kind, 'no', { cause: networkError('ECONNRESET') })));
            await expect(send(adapter, { outage }).sent).rejects.toMatchObject({ kind });
          }
          expect(outage.proof).toBeNull();
        },
      ),
    );
  });

  it('stops neither another model of its adapter nor the same model of another', async () => {
    const outageOf = createOutages();
    await expect(
      send(failing([new AdapterError('auth', 'no')]), { outage: outageOf('a', 'm') }).sent,
    ).rejects.toThrow();
    expect(outageOf('a', 'm').proof).not.toBeNull();
    expect(outageOf('a', 'n').proof).toBeNull();
    expect(outageOf('b', 'm').proof).toBeNull();
  });

  it.each([
    ['no', new AdapterError('auth', 'no')],
    [
      'Slow. It asks to wait 99 s before the next request; Salvo waits 60 s at most.',
      new AdapterError('rate_limit', 'Slow.', { retryAfterSeconds: 99 }),
    ],
  ])('stops the requests that wait for a place, all with the words of the first: %s', async (words, first) => {
    const outage = createOutages()('a', 'm');
    const limiter = createLimiter({ max_concurrency: 1 });
    const adapter = failing([first]);
    const sent = Array.from({ length: 20 }, () => send(adapter, { outage, limiter }).sent);
    const outcomes = await Promise.allSettled(sent);
    expect(outcomes.map((each) => each.status === 'rejected' && each.reason.message)).toEqual(Array(20).fill(words));
    expect(adapter.configs).toHaveLength(1);
  });

  it('is not given up because this machine had no file handles left', async () => {
    const outage = createOutages()('a', 'm');
    const short = new AdapterError('missing_dependency', 'not started', { cause: networkError('EMFILE') });
    await expect(send(failing([short]), { outage }).sent).rejects.toBe(short);
    expect(outage.proof).toBeNull();
  });
});

function networkError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
describe('the cost of a request', () => {
  /** Records what it is told. */
  function fakeBudget(most = Number.POSITIVE_INFINITY): CallBudget & { told: string[] } {
    const told: string[] = [];
    const admitted: AdmittedCall = {
      paid: (usd) => told.push(`paid ${usd}`),
      maybePaid: () => told.push('maybe paid'),
      notPaid: () => told.push('not paid'),
    };
    return {
      told,
      async admit() {
        if (told.length >= most) throw new BudgetError('no money is left');
        return admitted;
      },
    };
  }

  it.each([
    [new AdapterError('timeout', 'no answer in time'), 'maybe paid'],
    [new AdapterError('connection', 'socket hang up', { cause: new Error('read ECONNRESET') }), 'maybe paid'],
    [new AdapterError('overloaded', 'busy', { status: 529 }), 'not paid'],
    [new AdapterError('server', 'oh', { status: 500 }), 'not paid'],
    [
      new AdapterError('connection', 'refused', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }),
      'not paid',
    ],
  ])('is unknown when it may have been charged, and 0 when it was refused: %s', async (error, outcome) => {
    const budget = fakeBudget();
    let unknown = 0;
    const { sent } = send(failing([error]), { budget, onUnknownCost: () => unknown++ });
    expect(await sent).toMatchObject({ costUsd: 0.5, requests: 2 });
    expect(budget.told).toEqual([outcome, 'paid 0.5']);
    expect(unknown).toBe(outcome === 'maybe paid' ? 1 : 0);
  });

  it('is unknown for an answer that could not be read', async () => {
    const budget = fakeBudget();
    let unknown = 0;
    const unreadable = new AdapterError('bad_response', 'not JSON');
    const { sent } = send(failing([unreadable]), { budget, onUnknownCost: () => unknown++ });
    await expect(sent).rejects.toBe(unreadable);
    expect([budget.told, unknown]).toEqual([['maybe paid'], 1]);
  });

  it('is 0 for a model that costs nothing, whatever happened', async () => {
    const pricing = createPricing({ m: { input_per_million: 0, output_per_million: 0 } });
    let unknown = 0;
    const timeout = new AdapterError('timeout', 'no answer in time');
    await send(failing([timeout]), { pricing, onUnknownCost: () => unknown++ }).sent;
    expect(unknown).toBe(0);
  });

  it('is asked for again before a retry', async () => {
    const budget = fakeBudget(2);
    const adapter = failing([overloaded, overloaded, overloaded]);
    await expect(send(adapter, { budget }).sent).rejects.toBeInstanceOf(BudgetError);
    expect(adapter.configs).toHaveLength(2);
  });

  it('is 0 for a request that was stopped before it was sent', async () => {
    const budget = fakeBudget();
    const stop = new AbortController();
    const limiter = createLimiter({ max_concurrency: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const other = limiter.run(() => promise);
    const { sent } = send(failing([]), { budget, limiter, config: { model: 'm', signal: stop.signal } });
    await new Promise((go) => setImmediate(go));
    stop.abort();
    await expect(sent).rejects.toMatchObject({ kind: 'aborted' });
    expect(budget.told).toEqual(['not paid']);
    resolve();
    await other;
  });
});
