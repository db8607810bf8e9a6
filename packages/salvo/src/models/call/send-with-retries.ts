import type { Adapter, AdapterConfig, AdapterTurnResult, ToolDefinition } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { eitherSignal } from '../../adapters/call/shared-signal.ts';
import type { WorkClock } from '../../adapters/call/work-clock.ts';
import { type Stopwatch, startStopwatch } from '../../adapters/call/work-clock.ts';
import { ownStack } from '../../text/errors/own-stack.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import type { Message } from '../../trace/message.ts';
import type { RetryRecord } from '../../trace/trace.ts';
import { type AdmittedCall, BudgetError, type CallBudget, isUnlimited, NO_LIMIT, UNPAID } from '../budget/budget.ts';
import { describeCall, withPlausibleFigures } from '../budget/call-cost.ts';
import type { Pricing } from '../budget/prices.ts';
import { type Limiter, UNLIMITED } from './limiter.ts';
import type { Outage } from './outages.ts';
import {
  DEFAULT_RETRY_POLICY,
  type RetryPolicy,
  sleep as realSleep,
  retryDelay,
  type Sleep,
  whyNotWait,
} from './retry-policy.ts';

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
export async function sendRequest(given: SendRequestOptions): Promise<SentRequest> {
  // A recorded answer costs nothing and asks nobody.
  const options = given.adapter.isReplayed ? { ...given, budget: undefined, limiter: undefined } : given;
  using waits = new Waits(options.config.signal, options.stop);
  const { sleep = realSleep, budget = NO_LIMIT } = options;
  const watch = startStopwatch(options.clock?.whileWaiting);
  for (let attempt = 0; ; attempt++) {
    const admitted = isUnlimited(budget)
      ? UNPAID
      : await watch
          .whileWaiting(() => budget.admit(() => describeCall(options), waits.signal))
          .catch((thrown: unknown) => {
            throw thrown instanceof SalvoError ? thrown : stoppedError('while it waited for the budget', thrown);
          });
    const answer = await sendOnce(options, { attempt, admitted, watch, waits });
    if (typeof answer === 'number') {
      await sleep(answer, waits.signal)
        .then(() => waits.signal.throwIfAborted())
        .catch((cause: unknown) => {
          throw stoppedError('between two attempts', cause);
        });
      continue;
    }
    const latencySeconds = answer.latency_seconds ?? watch.workedSeconds();
    let cost: Awaited<ReturnType<SendRequestOptions['costOf']>>;
    try {
      cost = await options.costOf(answer);
    } catch (error) {
      admitted.maybePaid();
      throw error;
    }
    admitted.paid(cost.usd, cost.whyUnknown);
    return { result: answer, costUsd: cost.usd, requests: attempt + 1, latencySeconds };
  }
}

/** What ends the waits of a request. Most requests wait for nothing, so the signal is made when the first one does. */
class Waits implements Disposable {
  readonly #own: AbortSignal | undefined;
  readonly #stop: AbortSignal | undefined;
  #either: ReturnType<typeof eitherSignal> | null = null;

  constructor(own: AbortSignal | undefined, stop: AbortSignal | undefined) {
    this.#own = own;
    this.#stop = stop;
  }

  get aborted(): boolean {
    return (this.#own?.aborted ?? false) || (this.#stop?.aborted ?? false);
  }

  get signal(): AbortSignal {
    this.#either ??= eitherSignal(this.#own, this.#stop);
    return this.#either.signal;
  }

  [Symbol.dispose](): void {
    this.#either?.[Symbol.dispose]();
  }
}

/** The answer, or the seconds until the next attempt. Rejects if there is none. */
async function sendOnce(
  options: SendRequestOptions,
  attempt: { attempt: number; admitted: AdmittedCall; watch: Stopwatch; waits: Waits },
): Promise<AdapterTurnResult | number> {
  const { adapter, messages, tools, limiter = UNLIMITED } = options;
  const { admitted, waits, watch } = attempt;
  const outage = sharedOutage(options);
  let isSent = false;
  const send = (): Promise<AdapterTurnResult> => {
    // Checked when the request has its place: meanwhile another one may have shown that none can succeed.
    if (outage?.proof) throw outage.proof;
    isSent = true;
    const config = attemptConfig(options.config, attempt.attempt);
    return adapter.sendTurn(messages, tools, { ...config, whileWaiting: watch.whileWaiting });
  };
  try {
    const sending =
      limiter === UNLIMITED && !waits.aborted ? send() : limiter.run(send, waits.signal, watch.whileWaiting);
    const answer = withPlausibleFigures(await sending);
    outage?.answered();
    return answer;
  } catch (thrown) {
    // It got no place: another request has shown that none can succeed, or the limits could not be asked for one.
    const hadNoPlace = !isSent && (thrown === outage?.proof || !(thrown instanceof AdapterError));
    // An observed agent can spend the budget while it works.
    if (hadNoPlace || thrown instanceof BudgetError) {
      admitted.notPaid();
      throw thrown;
    }
    const error = asAdapterError(thrown, adapter);
    if (isSent && error.mayBeCharged && (await describeCall(options)).mostUsd !== 0) {
      admitted.maybePaid();
      options.onUnknownCost?.();
    } else {
      admitted.notPaid();
    }
    // Before the next request gets its place: it must know that none can succeed.
    return secondsUntilRetry(error, attempt.attempt, options);
  }
}

/** Throws the error if no retry follows. */
function secondsUntilRetry(error: AdapterError, attempt: number, options: SendRequestOptions): number {
  const { retry = DEFAULT_RETRY_POLICY, clock, random = Math.random } = options;
  const outage = sharedOutage(options);
  const seconds = error.retryable ? retryDelay(error, attempt, retry, random) : 0;
  const left = clock?.secondsLeft() ?? Number.POSITIVE_INFINITY;
  const refusal = error.retryable ? whyNotWait(error, seconds, left) : error;
  const mostRetries = Math.min(retry.maxRetries, outage?.mostRetries(error) ?? retry.maxRetries);
  if (refusal || attempt >= mostRetries || outage?.proof) {
    outage?.failed(refusal ?? error);
    throw refusal ?? error;
  }
  const { message: reason, code, status = null } = error;
  options.onRetry?.({ attempt: attempt + 1, reason, code, status, delay_seconds: seconds });
  return seconds;
}

/** Undefined if the failure of one request says nothing about others. */
function sharedOutage({ adapter, outage }: SendRequestOptions): Outage | undefined {
  return adapter.hasIndependentFailures ? undefined : outage;
}

function stoppedError(when: string, cause: unknown): AdapterError {
  return new AdapterError('aborted', `The run was stopped ${when}.`, { cause });
}

function attemptConfig(config: AdapterConfig, attempt: number): AdapterConfig {
  const { conversation } = config;
  if (conversation === undefined || attempt === 0) return config;
  return { ...config, conversation: { ...conversation, request: conversation.request + attempt } };
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
