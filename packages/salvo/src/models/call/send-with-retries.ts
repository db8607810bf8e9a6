import type {
  Adapter,
  AdapterConfig,
  AdapterTurnResult,
  ToolDefinition,
  WhileWaiting,
} from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { ownStack } from '../../text/errors/own-stack.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import type { Message } from '../../trace/message.ts';
import type { RetryRecord } from '../../trace/trace.ts';
import { type CallBudget, NO_LIMIT } from '../budget/budget.ts';
import { describeCall } from '../budget/call-cost.ts';
import { withPlausibleFigures } from '../budget/plausible-figures.ts';
import type { Pricing } from '../budget/prices.ts';
import { type Limiter, UNLIMITED } from './limiter.ts';
import type { Outage } from './outages.ts';
import { sleep as realSleep, type Sleep } from './sleep.ts';
import { type WorkClock, whenAborted } from './work-clock.ts';

export interface RetryPolicy {
  /** How often a request is sent again after it failed the first time. */
  maxRetries: number;
  baseDelaySeconds: number;
  maxDelaySeconds: number;
}

export const DEFAULT_RETRY_POLICY: RetryPolicy = { maxRetries: 4, baseDelaySeconds: 1, maxDelaySeconds: 60 };

/** A server may ask for this delay. If it asks for more, the request fails at once. */
const LONGEST_RETRY_AFTER_SECONDS = 60;

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
  /** Does not run while the request waits for a place of the limiter. No retry begins that its time does not allow. */
  clock?: WorkClock | undefined;
  /** When aborted, a request is given up that waits for its place or for its retry. One that was sent goes on. */
  stop?: AbortSignal | undefined;
  /** What is known about the adapter and its model. */
  outage?: Outage | undefined;
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
  /** Without the time that it waited for a place of the limiter. */
  latencySeconds: number;
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
  limiter = UNLIMITED,
  clock,
  stop,
  outage: sharedOutage,
  retry = DEFAULT_RETRY_POLICY,
  onRetry,
  sleep = realSleep,
  random = Math.random,
}: SendRequestOptions): Promise<SentRequest> {
  // A script says for each trial what fails, so that one failure proves nothing about the next.
  const outage = adapter.providerName() === 'scripted' ? undefined : sharedOutage;
  using waits = eitherSignal(config.signal, stop);
  const started = performance.now();
  let waitedMs = 0;
  const whileWaiting: WhileWaiting = async (wait) => {
    const since = performance.now();
    try {
      return await (clock ? clock.whileWaiting(wait) : wait());
    } finally {
      waitedMs += performance.now() - since;
    }
  };
  for (let attempt = 0; ; attempt++) {
    const describe = () => describeCall({ adapter, messages, tools, config, pricing });
    const admitted = await whileWaiting(() => budget.admit(describe, waits.signal)).catch((thrown: unknown) => {
      throw thrown instanceof SalvoError ? thrown : stoppedError('while it waited for the budget', thrown);
    });
    let isSent = false;
    const send = async () => {
      // Checked when the request has its place: meanwhile another one may have shown that none can succeed.
      if (outage?.proof) throw outage.proof;
      isSent = true;
      return adapter.sendTurn(messages, tools, { ...attemptConfig(config, attempt), whileWaiting });
    };
    let answer: AdapterTurnResult;
    try {
      answer = withPlausibleFigures(await limiter.run(send, waits.signal, whileWaiting));
      outage?.answered();
    } catch (thrown) {
      // It got no place: another request has shown that none can succeed, or the limits could not be asked for one.
      if (!isSent && (thrown === outage?.proof || !(thrown instanceof AdapterError))) {
        admitted.notPaid();
        throw thrown;
      }
      const error = asAdapterError(thrown, adapter);
      if (isSent && error.mayBeCharged && (await describe()).mostUsd !== 0) {
        admitted.maybePaid();
        onUnknownCost?.();
      } else {
        admitted.notPaid();
      }
      if (!error.retryable) throw failedForGood(error, outage);
      const seconds = retryDelay(error, attempt, retry, random);
      const tooLong = whyNotWait(error, seconds, clock);
      const mostRetries = Math.min(retry.maxRetries, outage?.mostRetries(error) ?? retry.maxRetries);
      if (tooLong || attempt >= mostRetries || outage?.proof) throw failedForGood(tooLong ?? error, outage);
      onRetry?.({
        attempt: attempt + 1,
        reason: error.message,
        code: error.code,
        status: error.status ?? null,
        delay_seconds: seconds,
      });
      try {
        await sleep(seconds, waits.signal);
        waits.signal.throwIfAborted();
      } catch (cause) {
        throw stoppedError('between two attempts', cause);
      }
      continue;
    }
    const latencySeconds = (performance.now() - started - waitedMs) / 1000;
    const { usd, whyUnknown } = await costOf(answer).catch((error: unknown) => {
      admitted.maybePaid();
      throw error;
    });
    admitted.paid(usd, whyUnknown);
    return { result: answer, costUsd: usd, requests: attempt + 1, latencySeconds };
  }
}

/** Aborted when one of them is. */
function eitherSignal(signal: AbortSignal | undefined, stop: AbortSignal | undefined): Disposable & EitherSignal {
  if (stop === undefined || signal === undefined) {
    return { signal: signal ?? stop ?? new AbortController().signal, [Symbol.dispose]() {} };
  }
  const controller = new AbortController();
  const onAbort = (): void => controller.abort((signal.aborted ? signal : stop).reason);
  if (signal.aborted || stop.aborted) onAbort();
  const ignored = [whenAborted(signal, onAbort), whenAborted(stop, onAbort)];
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const ignore of ignored) ignore();
    },
  };
}

interface EitherSignal {
  signal: AbortSignal;
}

function failedForGood(error: AdapterError, outage: Outage | undefined): AdapterError {
  outage?.failed(error);
  return error;
}

/** The error if the wait before a retry would be too long; null if it is not. */
function whyNotWait(error: AdapterError, seconds: number, clock: WorkClock | undefined): AdapterError | null {
  const { kind, status, retryAfterSeconds, message } = error;
  const asked = `${message}${/[.!?]$/.test(message) ? '' : '.'} It asks to wait ${seconds.toFixed()} s before the next request`;
  if (retryAfterSeconds !== undefined && seconds > LONGEST_RETRY_AFTER_SECONDS) {
    const words = `${asked}; Salvo waits ${LONGEST_RETRY_AFTER_SECONDS} s at most.`;
    return new AdapterError(kind, words, { status, retryAfterSeconds, cause: error, asksForLongerWait: true });
  }
  const left = clock?.secondsLeft() ?? Number.POSITIVE_INFINITY;
  if (seconds <= left) return null;
  if (retryAfterSeconds === undefined) return error;
  return new AdapterError(kind, `${asked}; only ${left.toFixed()} s are left.`, { status, cause: error });
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
  if (asked > 0) return asked;
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
