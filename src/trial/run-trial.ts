import { randomUUID } from 'node:crypto';
import type { Adapter } from '../adapters/adapter.ts';
import type { Spending } from '../models/budget.ts';
import type { Limiter } from '../models/limiter.ts';
import type { Pricing } from '../models/prices.ts';
import { type RetryPolicy, sendRequest } from '../models/send-with-retries.ts';
import { whyCostUnknown } from '../models/unknown-prices.ts';
import { DEFAULT_TIMEOUT_SECONDS, type Scenario } from '../scenario/schema/scenario-schema.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import type { Trace } from '../trace/trace.ts';
import { runAgentLoop, TrialStopped } from './agent-loop.ts';
import type { MockedTools } from './tool-mocks.ts';

/** A scenario with everything that its trials share, prepared once. */
export interface PreparedScenario {
  scenario: Scenario;
  /** Absolute. */
  file: string;
  /** Relative to the project root, with forward slashes. */
  relativeFile: string;
  hash: string;
  adapterName: string;
  model: string;
  adapter: Adapter;
  limiter: Limiter;
  tools: MockedTools;
}

export interface TrialServices {
  pricing: Pricing;
  retry: RetryPolicy;
  seed: number;
  /** Aborted if the user does not wait for trials under way. */
  abort?: AbortSignal | undefined;
  onRetry: () => void;
}

/** The maximum of a Node timer. A longer one fires immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Runs the agent once, within its time and budget. */
export async function runTrial(options: {
  prepared: PreparedScenario;
  runId: string;
  trialNumber: number;
  spending: Spending;
  services: TrialServices;
}): Promise<Trace> {
  const { prepared, trialNumber, spending, services } = options;
  const { scenario, adapter, model } = prepared;
  using deadline = startDeadline(scenario.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS, services.abort);
  // A different seed for each scenario. Otherwise the same trial number would fail in all of them.
  const seed = Math.floor(seededRandom(services.seed, scenario.name)() * 2 ** 32);
  const random = seededRandom(seed, 'backoff', trialNumber);
  let whyUnknown: string | undefined;
  // Awaited here, because the deadline ends with this function.
  return await runAgentLoop({
    scenario,
    scenarioHash: prepared.hash,
    model,
    adapter,
    tools: prepared.tools,
    seed,
    trialNumber,
    runId: options.runId,
    conversationId: randomUUID(),
    signal: deadline.signal,
    clock: { now: Date.now, monotonic: () => performance.now() },
    priceOf: async ({ cost_usd, ...turn }) => {
      whyUnknown = whyCostUnknown(turn);
      return cost_usd ?? services.pricing.priceTurn({ ...turn, provider: adapter.providerName() });
    },
    onCost: (usd) => spending.spend(usd, whyUnknown),
    send: async ({ messages, config, onRetry }) => {
      if (!spending.mayRequest()) {
        const why = spending.unknownCost ?? 'the budget was spent before the agent was done';
        throw new TrialStopped('budget', why);
      }
      const sent = await sendRequest({
        adapter,
        messages,
        tools: prepared.tools.definitions,
        config,
        limiter: prepared.limiter,
        retry: services.retry,
        onRetry: (record) => {
          services.onRetry();
          onRetry(record);
        },
        random,
      });
      deadline.throwIfOver();
      return sent;
    },
  });
}

interface Deadline extends Disposable {
  signal: AbortSignal;
  /** Throws after the deadline, even if the timer could not fire because an agent in this process did not yield. */
  throwIfOver(): void;
}

/** Removes its timer and listener at the end. `AbortSignal.any` would accumulate on the signal of the run. */
function startDeadline(seconds: number, abort: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(new TrialStopped('interrupted', 'interrupted'));
  const expire = (): void =>
    controller.abort(new TrialStopped('timeout', `no end after ${seconds} s (timeout_seconds)`));
  const endsAt = performance.now() + seconds * 1000;
  const timer = setTimeout(expire, Math.min(seconds * 1000, LONGEST_TIMER_MS));
  if (abort?.aborted) interrupt();
  abort?.addEventListener('abort', interrupt);
  return {
    signal: controller.signal,
    throwIfOver() {
      if (performance.now() > endsAt) expire();
      controller.signal.throwIfAborted();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      abort?.removeEventListener('abort', interrupt);
    },
  };
}
