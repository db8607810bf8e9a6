import type { Adapter, AdapterConfig, AdapterTurnResult, ToolDefinition } from '../adapters/adapter.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import { ownStack } from '../text/own-stack.ts';
import { errorMessage, SalvoError } from '../text/salvo-error.ts';
import type { Message } from '../trace/message.ts';
import type { RetryRecord } from '../trace/trace.ts';
import { type CallBudget, NO_LIMIT } from './budget.ts';
import { describeCall } from './call-cost.ts';
import type { Limiter } from './limiter.ts';
import { withPlausibleFigures } from './plausible-figures.ts';
import type { Pricing } from './prices.ts';
import { sleep as realSleep, type Sleep } from './sleep.ts';

export interface RetryPolicy {
  /** How often a request is sent again after it failed the first time. */
  maxRetries: number;
  baseDelaySeconds: number;
  maxDelaySeconds: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxRetries: 4, baseDelaySeconds: 1, maxDelaySeconds: 60 };

/** A server may ask for a longer delay than our policy has, up to this limit. */
const LONGEST_RETRY_AFTER_SECONDS = 600;

export interface SendRequestOptions {
  adapter: Adapter;
  messages: Message[];
  tools: ToolDefinition[];
  /** `conversation.request` is the ordinal of the first attempt; later attempts count up from it. */
  config: AdapterConfig;
  pricing: Pricing;
  /** What the answer cost, with the reason when that is unknown. */
  costOf: (result: AdapterTurnResult) => Promise<{ usd: number | null; whyUnknown?: string | undefined }>;
  /** Asked before every attempt. */
  budget?: CallBudget | undefined;
  /** Called for each attempt that got no answer but may have been charged. */
  onUnknownCost?: (() => void) | undefined;
  limiter?: Limiter | undefined;
  retry?: RetryPolicy | undefined;
  /** Called before the wait for each retry. The caller adds the turn. */
  onRetry?: ((record: Omit<RetryRecord, 'turn'>) => void) | undefined;
  sleep?: Sleep | undefined;
  /** From 0 to 1; only spreads out the retries of trials that failed together. */
  random?: (() => number) | undefined;
}

interface SentRequest {
  result: AdapterTurnResult;
  /** Of the answer; null when it is unknown. */
  costUsd: number | null;
  /** How many requests it took. */
  requests: number;
}

/**
 * Sends one turn, and sends it again when it may succeed later. Rejects with an AdapterError, or with a BudgetError
 * when an attempt cannot be paid for. The slot of the limiter is free while this request waits for its retry.
 */
export async function sendRequest({
  adapter,
  messages,
  tools,
  config,
  pricing,
  costOf,
  budget = NO_LIMIT,
  onUnknownCost,
  limiter,
  retry = DEFAULT_RETRY_POLICY,
  onRetry,
  sleep = realSleep,
  random = Math.random,
}: SendRequestOptions): Promise<SentRequest> {
  for (let attempt = 0; ; attempt++) {
    const describe = () => describeCall({ adapter, messages, tools, config, pricing });
    const admitted = await budget.admit(describe, config.signal).catch((thrown: unknown) => {
      throw thrown instanceof SalvoError ? thrown : stoppedError('while it waited for the budget', thrown);
    });
    let isSent = false;
    const send = () => {
      isSent = true;
      return adapter.sendTurn(messages, tools, attemptConfig(config, attempt));
    };
    let answer: AdapterTurnResult;
    try {
      answer = withPlausibleFigures(await (limiter ? limiter.run(send, config.signal) : send()));
    } catch (thrown) {
      const error = asAdapterError(thrown, adapter);
      if (isSent && error.mayBeCharged && (await describe()).mostUsd !== 0) {
        admitted.maybePaid();
        onUnknownCost?.();
      } else {
        admitted.notPaid();
      }
      if (!error.retryable || attempt >= retry.maxRetries) throw error;
      const seconds = retryDelay(error, attempt, retry, random);
      onRetry?.({
        attempt: attempt + 1,
        reason: error.message,
        code: error.code,
        status: error.status ?? null,
        delay_seconds: seconds,
      });
      try {
        await sleep(seconds, config.signal);
        config.signal?.throwIfAborted();
      } catch (cause) {
        throw stoppedError('between two attempts', cause);
      }
      continue;
    }
    const { usd, whyUnknown } = await costOf(answer).catch((error: unknown) => {
      admitted.maybePaid();
      throw error;
    });
    admitted.paid(usd, whyUnknown);
    return { result: answer, costUsd: usd, requests: attempt + 1 };
  }
}

function stoppedError(when: string, cause: unknown): AdapterError {
  return new AdapterError('aborted', `The run was stopped ${when}.`, { cause });
}

function attemptConfig(config: AdapterConfig, attempt: number): AdapterConfig {
  const { conversation } = config;
  if (conversation === undefined || attempt === 0) return config;
  return { ...config, conversation: { ...conversation, request: conversation.request + attempt } };
}

function retryDelay(error: AdapterError, attempt: number, retry: RetryPolicy, random: () => number): number {
  const asked = error.retryAfterSeconds ?? 0;
  if (asked > 0) return Math.min(asked, LONGEST_RETRY_AFTER_SECONDS);
  const ceiling = Math.min(retry.maxDelaySeconds, retry.baseDelaySeconds * 2 ** attempt);
  // Half of the delay is fixed, to give the server a pause; half is random, so that trials spread out.
  return (ceiling / 2) * (1 + random());
}

/** An error of a user's adapter is not an answer of the model, and is not retried. */
function asAdapterError(thrown: unknown, adapter: Adapter): AdapterError {
  if (thrown instanceof AdapterError) return thrown;
  const message = errorMessage(thrown);
  return new AdapterError('bad_response', `The ${adapter.providerName()} adapter failed: ${message}`, {
    cause: thrown,
    agentStack: ownStack(thrown, process.cwd()),
  });
}
