import type { Adapter, AdapterConfig, AdapterTurnResult, ToolDefinition } from '../../adapters/adapter.ts';
import type { AdapterContext } from '../../adapters/adapter-factory.ts';
import { adapterFingerprint } from '../../adapters/adapter-fingerprint.ts';
import { adapterIdentity } from '../../adapters/adapter-identity.ts';
import type { WorkClock } from '../../adapters/call/work-clock.ts';
import { getAdapter } from '../../adapters/registry.ts';
import { memoByKey, remembered } from '../../text/memo.ts';
import type { Message } from '../../trace/message.ts';
import type { CallBudget } from '../budget/budget.ts';
import { contextWindow, createPricing, type Price, type Pricing } from '../budget/prices.ts';
import type { TrialOfCall } from '../cassette/cassette-document.ts';
import type { RunCassettes } from '../cassette/run-cassettes.ts';
import { createLimiters, type LimiterOf } from './call-services.ts';
import { meterCost } from './cost-meter.ts';
import type { OutageOf } from './outages.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy.ts';
import { sendRequest } from './send-with-retries.ts';

export interface ModelCall {
  /** The adapter's name, as in a scenario. */
  adapter: string;
  messages: Message[];
  tools: ToolDefinition[];
  config: AdapterConfig;
  /** The time limit of the question, if it has one. */
  clock?: WorkClock | undefined;
  /** Called before a request that failed is sent again. */
  onRetry?: (() => void) | undefined;
  /** Called for every request that got no answer but may have been charged. */
  onUnknownCost?: (() => void) | undefined;
  /** Has to be asked before every request. */
  budget?: CallBudget | undefined;
}

const NO_TRIAL: TrialOfCall = { scenario: '', case: null, adapter: '', model: '', trial: 0 };

export interface ModelReply {
  result: AdapterTurnResult;
  /** Null when it is unknown. */
  costUsd: number | null;
  /** Without the time that it waited for a free place of the adapter. */
  latencySeconds: number;
  /** How many requests it took, retries included. */
  requests: number;
}

/** Calls models that are not under test, such as judges: with retries, prices and shared limits. */
export interface ModelCaller {
  call(call: ModelCall): Promise<ModelReply>;
  /** Whether `call` asks `budget` before every request. Otherwise a call is paid for as a whole, one after the other. */
  asksBudget?: boolean | undefined;
  providerName(adapter: string): string;
  /** What answers behind an adapter's name, in words: a server, a program, a module with a hash of its content. */
  identity(adapter: string): string;
  /** Identifies what answers behind an adapter's name; null when it is unknown, so that no answer may be cached. */
  fingerprint(adapter: string): string | null;
  /** How many tokens fit in the context of a model; null when it is unknown. */
  contextTokens?(adapter: string, model: string): Promise<number | null>;
  /** The same caller for calls about one trial, if that makes a difference: a cassette keeps them for it. */
  ofTrial?(trial: TrialOfCall): ModelCaller;
  /** Loads what calls with an adapter need. If that fails, the first call says so. */
  prepare?(adapter: string): Promise<void>;
  close(): Promise<void>;
}

/** A caller for code without a project: built-in and registered adapters, with the keys of the environment. */
export function environmentModels(
  options: Partial<AdapterContext> & { prices?: Record<string, Price> } = {},
): ModelCaller {
  const { root = process.cwd(), adapters = {}, env = process.env } = options;
  const context = { root, adapters, env };
  return createModelCaller({ context, pricing: createPricing(options.prices), limiterOf: createLimiters(context) });
}

/** A caller whose calls are all paid for from a budget, and counted by the meter of whoever makes them. */
export function withBudget(models: ModelCaller, budget: CallBudget): ModelCaller {
  return {
    providerName: (adapter) => models.providerName(adapter),
    identity: (adapter) => models.identity(adapter),
    fingerprint: (adapter) => models.fingerprint(adapter),
    contextTokens: async (adapter, model) => (await models.contextTokens?.(adapter, model)) ?? null,
    prepare: async (adapter) => models.prepare?.(adapter),
    close: () => models.close(),
    asksBudget: true,
    async call(call) {
      if (models.asksBudget) {
        const answered = await models.call({ ...call, budget });
        meterCost(answered.costUsd);
        return answered;
      }
      const { adapter, config } = call;
      const kind = JSON.stringify([adapter, config.model]);
      const admitted = await budget.admit(
        async () => ({ kind, place: 0, estimateUsd: null, mostUsd: null }),
        config.signal,
      );
      try {
        const reply = await models.call(call);
        admitted.paid(reply.costUsd);
        meterCost(reply.costUsd);
        return reply;
      } catch (error) {
        admitted.maybePaid();
        throw error;
      }
    },
  };
}

/** Uses the given caller and leaves it open, or else opens one, by default of the environment, and closes it. */
export async function withModels<T>(
  given: ModelCaller | null | undefined,
  use: (models: ModelCaller) => Promise<T>,
  open: () => ModelCaller = environmentModels,
): Promise<T> {
  const models = given ?? open();
  try {
    return await use(models);
  } finally {
    if (!given) await models.close();
  }
}

export function createModelCaller(options: {
  context: AdapterContext;
  pricing: Pricing;
  limiterOf: LimiterOf;
  /** Of a command or a run. A caller that lives for days must not remember forever that a server was restarted. */
  outageOf?: OutageOf | undefined;
  retry?: RetryPolicy | undefined;
  /** From 0 to 1, for the spread of retries. */
  random?: (() => number) | undefined;
  cassettes?: RunCassettes | null | undefined;
}): ModelCaller {
  const { context, pricing, limiterOf, outageOf, retry = DEFAULT_RETRY_POLICY, random, cassettes } = options;
  const adapters = new Map<string, Adapter>();
  const adapterOf = (name: string): Adapter => remembered(adapters, name, () => getAdapter(name, context));
  // Read once: a module that is edited during a run is not loaded again either.
  const identity = memoByKey((name) => adapterIdentity(name, context));
  const callerOf = (trial: TrialOfCall): ModelCaller => ({
    asksBudget: true,
    providerName: (name) => adapterOf(name).providerName(),
    identity,
    fingerprint: (name) => adapterFingerprint(name, context),
    async contextTokens(name, model) {
      const adapter = adapterOf(name);
      return adapter.contextTokens ?? (await contextWindow(adapter.providerName(), model));
    },
    async call({ adapter: name, messages, tools, config, clock, onRetry, onUnknownCost, budget }) {
      const adapter = cassettes?.judge(name, adapterOf(name), trial) ?? adapterOf(name);
      const provider = adapter.providerName();
      const { model } = config;
      const costOf = async ({ cost_usd, usage, model: answeredBy }: AdapterTurnResult) => ({
        usd: cost_usd ?? (await pricing.priceTurn({ model, answeredBy, provider, usage })),
      });
      const shared = { limiter: limiterOf(name), outage: outageOf?.(name, model), pricing, retry, random };
      const request = { adapter, messages, tools, config, clock, costOf, budget, onUnknownCost };
      return sendRequest({ ...request, ...shared, onRetry: () => onRetry?.() });
    },
    ...(cassettes && { ofTrial: callerOf }),
    async prepare(name) {
      if (cassettes?.isReplayed(name)) return;
      await adapterOf(name)
        .prepare?.()
        .catch(() => {});
    },
    async close() {
      await Promise.all([...adapters.values()].map((adapter) => adapter.close?.()));
    },
  });
  return callerOf(NO_TRIAL);
}
