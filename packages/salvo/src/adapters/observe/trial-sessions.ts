import type { IncomingHttpHeaders } from 'node:http';
import type { WhileWaiting } from '../adapter.ts';

/** A header that a server may pass on with its calls of a model, so that they can be told apart. */
export const TRIAL_HEADER = 'x-salvo-trial';

/** The trace id of a trial, by which OpenTelemetry passes it on. Ids of trials are UUIDs. */
export function traceIdOf(trial: string): string {
  return trial.replaceAll('-', '').padStart(32, '0').slice(-32).toLowerCase();
}

/** The span id of the request to the agent, which is the parent of what it does. */
export function spanIdOf(trial: string): string {
  return traceIdOf(trial).slice(16);
}

/** The headers by which a server knows which trial a request belongs to. */
export function trialHeaders(trial: string): Record<string, string> {
  return { [TRIAL_HEADER]: trial, traceparent: `00-${traceIdOf(trial)}-${spanIdOf(trial)}-01` };
}

/**
 * Which trial a request belongs to that an agent sends while several trials may be under way. Trials run one at a time until
 * the agent is known to pass a header on, and for the rest of the run if it does not.
 */
export class TrialSessions<T> {
  readonly #open = new Map<string, T>();
  #mode: 'unknown' | 'told' | 'alone' = 'unknown';
  #isTold = true;
  #hasSeen = false;
  #waiting: (() => void)[] = [];

  /** Nothing tells trials apart, so that they run one at a time. */
  get isAlone(): boolean {
    return this.#mode === 'alone';
  }

  async run<R>(trial: string, session: T, whileWaiting: WhileWaiting, work: () => Promise<R>): Promise<R> {
    while (this.#open.size > 0 && (this.#mode !== 'told' || this.#open.has(traceIdOf(trial)))) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await whileWaiting(() => promise);
    }
    this.#open.set(traceIdOf(trial), session);
    try {
      return await work();
    } finally {
      this.#open.delete(traceIdOf(trial));
      if (this.#hasSeen && this.#mode !== 'alone') this.#mode = this.#isTold ? 'told' : 'alone';
      const waiting = this.#waiting;
      this.#waiting = [];
      for (const wake of waiting) wake();
    }
  }

  /** The session of a request by its headers. */
  ofHeaders(headers: IncomingHttpHeaders): T | undefined {
    const trial = headers[TRIAL_HEADER];
    const [, traceId] = /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(String(headers.traceparent ?? '')) ?? [];
    return this.#ofIds([typeof trial === 'string' ? traceIdOf(trial) : undefined, traceId]);
  }

  /** The session of a span. */
  ofTrace(traceId: string | null): T | undefined {
    return this.#ofIds([traceId ?? undefined]);
  }

  /** All trials under way: a request that belongs to one of them, nobody knows which. */
  all(): T[] {
    return [...this.#open.values()];
  }

  #ofIds(ids: readonly (string | undefined)[]): T | undefined {
    this.#hasSeen = true;
    const named = ids
      .map((id) => (id === undefined ? undefined : this.#open.get(id)))
      .find((found) => found !== undefined);
    if (named !== undefined) return named;
    this.#isTold = false;
    const [only] = this.#open.values();
    return this.#open.size === 1 ? only : undefined;
  }
}
