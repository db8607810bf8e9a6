import type { Adapter, AdapterConfig, AdapterTurnResult, ToolDefinition } from '../adapters/adapter.ts';
import { AdapterError } from '../adapters/adapter-error.ts';
import { ownStack } from '../text/own-stack.ts';
import { errorMessage } from '../text/salvo-error.ts';
import type { Message } from '../trace/message.ts';
import type { RetryRecord } from '../trace/trace.ts';
import type { Limiter } from './limiter.ts';
import { withPlausibleFigures } from './plausible-figures.ts';
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
  /** How many requests it took. */
  requests: number;
}

/**
 * Sends one turn, and sends it again when it may succeed later. Always rejects with an AdapterError. The slot of the
 * limiter is free while this request waits for its retry.
 */
export async function sendRequest({
  adapter,
  messages,
  tools,
  config,
  limiter,
  retry = DEFAULT_RETRY_POLICY,
  onRetry,
  sleep = realSleep,
  random = Math.random,
}: SendRequestOptions): Promise<SentRequest> {
  for (let attempt = 0; ; attempt++) {
    const send = () => adapter.sendTurn(messages, tools, attemptConfig(config, attempt));
    try {
      const result = await (limiter ? limiter.run(send, config.signal) : send());
      return { result: withPlausibleFigures(result), requests: attempt + 1 };
    } catch (thrown) {
      const error = asAdapterError(thrown, adapter);
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
        throw new AdapterError('aborted', 'The run was stopped between two attempts.', { cause });
      }
    }
  }
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
