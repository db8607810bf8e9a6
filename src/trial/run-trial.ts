import { randomUUID } from 'node:crypto';
import type { Adapter, AdapterTurnResult } from '../adapters/adapter.ts';
import { BudgetError, type CallBudget } from '../models/budget.ts';
import type { Limiter } from '../models/limiter.ts';
import type { Pricing } from '../models/prices.ts';
import { type RetryPolicy, sendRequest } from '../models/send-with-retries.ts';
import { whyCostUnknown } from '../models/unknown-prices.ts';
import { DEFAULT_TIMEOUT_SECONDS, type Scenario } from '../scenario/schema/scenario-schema.ts';
import { seededRandom } from '../stats/seeded-random.ts';
import type { Trace } from '../trace/trace.ts';
import { runAgentLoop, TrialStopped } from './agent-loop.ts';
import type { MockedTools } from './tool-mocks.ts';
import { usageOf } from './trace-recorder.ts';

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
  budget: CallBudget;
  services: TrialServices;
}): Promise<Trace> {
  const { prepared, trialNumber, budget, services } = options;
  const { scenario, adapter, model } = prepared;
  using deadline = startDeadline(scenario.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS, services.abort);
  // A different seed for each scenario. Otherwise the same trial number would fail in all of them.
  const seed = Math.floor(seededRandom(services.seed, scenario.name)() * 2 ** 32);
  const random = seededRandom(seed, 'backoff', trialNumber);
  const costOf = async (result: AdapterTurnResult) => {
    const turn = { model: result.trace?.model ?? result.model ?? model, usage: usageOf(result) };
    const reported = result.trace?.cost_usd ?? result.cost_usd;
    const usd = reported ?? (await services.pricing.priceTurn({ ...turn, provider: adapter.providerName() }));
    return { usd, whyUnknown: whyCostUnknown(turn) };
  };
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
    send: ({ messages, config, onRetry, onUnknownCost }) =>
      sendRequest({
        adapter,
        messages,
        tools: prepared.tools.definitions,
        config,
        pricing: services.pricing,
        costOf,
        // Only the agent's own time counts, not the time in our queue.
        budget: { admit: (describe, signal) => deadline.paused(() => budget.admit(describe, signal)) },
        onUnknownCost,
        limiter: prepared.limiter,
        retry: services.retry,
        onRetry: (record) => {
          services.onRetry();
          onRetry(record);
        },
        random,
      }).catch((error: unknown) => {
        throw error instanceof BudgetError ? new TrialStopped('budget', error.message) : error;
      }),
  });
}

interface Deadline extends Disposable {
  signal: AbortSignal;
  /** The clock does not run while `wait` is under way. */
  paused<T>(wait: () => Promise<T>): Promise<T>;
}

/** Removes its timer and listener at the end. `AbortSignal.any` would accumulate on the signal of the run. */
function startDeadline(seconds: number, abort: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(new TrialStopped('interrupted', 'interrupted'));
  const expire = (): void =>
    controller.abort(new TrialStopped('timeout', `no end after ${seconds} s (timeout_seconds)`));
  let left = Math.min(seconds * 1000, LONGEST_TIMER_MS);
  let started = performance.now();
  let timer = setTimeout(expire, left);
  if (abort?.aborted) interrupt();
  abort?.addEventListener('abort', interrupt);
  return {
    signal: controller.signal,
    async paused(wait) {
      clearTimeout(timer);
      left -= performance.now() - started;
      try {
        return await wait();
      } finally {
        started = performance.now();
        timer = setTimeout(expire, Math.max(0, left));
      }
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      abort?.removeEventListener('abort', interrupt);
    },
  };
}
