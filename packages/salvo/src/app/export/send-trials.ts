import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { createGuardedFetch, fetchReason } from '../../adapters/call/guarded-fetch.ts';
import { adapterErrorFromStatus, serverMessage } from '../../adapters/call/http-status.ts';
import type { Sleep } from '../../models/call/retry-policy.ts';
import { DEFAULT_RETRY_POLICY, retryDelay, whyNotWait } from '../../models/call/retry-policy.ts';
import { environmentSecrets } from '../../secrets/environment-secrets.ts';
import { createRedactor } from '../../secrets/redactor.ts';
import { formatPlural } from '../../stats/format.ts';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';

/** Where trials are sent, and in which words. */
export interface Destination {
  url: URL;
  headers: Record<string, string>;
  gzip: boolean;
  timeoutSeconds: number;
  /** What comes before and after the entries of a request. */
  envelope: readonly [string, string];
  /** What the server says that it did not take; empty if it took everything. `count` is null if it does not say how many. */
  refusals(answer: unknown): { count: number; why: string }[];
}

export interface SendOptions {
  env: Record<string, string | undefined>;
  /** Aborted: no further request is sent. */
  stop: AbortSignal;
  /** Aborted: a request under way is given up. */
  abort: AbortSignal;
  onSent?: ((trials: number) => void) | undefined;
  sleep: Sleep;
  random?: (() => number) | undefined;
}

/** Larger requests are refused by many receivers. A single entry may be larger. */
const MOST_BYTES = 3_000_000;
const MOST_TRIALS = 100;
const MOST_REASONS = 5;

/**
 * Sends trials in batches, each as the JSON texts of its entries. Returns how many were sent. Throws a `SalvoError` that says
 * how many were sent before, if the server does not take something, cannot be reached, or the user stops it.
 */
export async function sendTrials(
  trials: AsyncIterable<readonly string[]>,
  destination: Destination,
  options: SendOptions,
): Promise<number> {
  const sender = new Sender(destination, options);
  try {
    for await (const entries of trials) {
      if (options.stop.aborted) throw new SalvoError('EXPORT_NOT_SENT', 'Stopped.', { outcome: 'unscored' });
      await sender.add(entries);
    }
    await sender.flush();
  } catch (error) {
    throw sender.failure(error);
  }
  sender.throwIfRefused();
  return sender.trials;
}

class Sender {
  trials = 0;
  #refused = 0;
  readonly #reasons = new Set<string>();
  #entries: string[] = [];
  #bytes = 0;
  #whole = 0;
  readonly #to: Destination;
  readonly #options: SendOptions;
  readonly #fetch: typeof fetch;
  readonly #callee: string;
  readonly #plain: (text: string) => string;

  constructor(to: Destination, options: SendOptions) {
    this.#to = to;
    this.#options = options;
    // The query may hold a key.
    this.#callee = `${to.url.origin}${to.url.pathname}`;
    this.#fetch = createGuardedFetch({ callee: this.#callee, setting: 'url' });
    const values = Object.values(to.headers).flatMap((value) => [value, ...value.split(' ')]);
    const secrets = [...values, ...environmentSecrets(options.env)].filter((value) => value.length >= 8);
    const redactor = createRedactor({ customPatterns: [], secrets });
    this.#plain = (text) => quoteOutput(redactor.text(text.slice(0, 5000)), { length: 300 });
  }

  async add(entries: readonly string[]): Promise<void> {
    for (const entry of entries) {
      const bytes = Buffer.byteLength(entry);
      if (this.#entries.length > 0 && this.#bytes + bytes > MOST_BYTES) await this.flush();
      this.#entries.push(entry);
      this.#bytes += bytes;
    }
    this.#whole += 1;
    if (this.#whole >= MOST_TRIALS) await this.flush();
  }

  async flush(): Promise<void> {
    if (this.#entries.length === 0) return;
    const [open, close] = this.#to.envelope;
    const answer = await this.#post(`${open}${this.#entries.join(',')}${close}`);
    for (const { count: refused, why } of this.#to.refusals(answer)) {
      this.#refused += refused;
      if (this.#reasons.size < MOST_REASONS) this.#reasons.add(this.#plain(why));
    }
    this.trials += this.#whole;
    this.#entries = [];
    this.#bytes = 0;
    this.#whole = 0;
    this.#options.onSent?.(this.trials);
  }

  throwIfRefused(): void {
    if (this.#refused === 0) return;
    const words = `${this.#callee} did not take ${formatPlural(this.#refused, 'part')} of the ${formatPlural(this.trials, 'trial')} that were sent`;
    throw new SalvoError('EXPORT_NOT_SENT', `${words}:\n  ${[...this.#reasons].join('\n  ')}`, { outcome: 'unscored' });
  }

  failure(cause: unknown): unknown {
    if (!(cause instanceof SalvoError)) return cause;
    if (cause.code !== 'EXPORT_NOT_SENT' && !(cause instanceof AdapterError)) return cause;
    const before = `${formatPlural(this.trials, 'trial')} ${this.trials === 1 ? 'was' : 'were'} sent to ${this.#callee} before, and the rest was not.`;
    const again = this.trials === 0 ? '' : ' Trials keep their ids: sent again, they replace what is there.';
    const message = `${cause.message.replace(/[^.!?]$/, '$&.')} ${before}${again}`;
    return new SalvoError('EXPORT_NOT_SENT', message, { cause, outcome: 'unscored' });
  }

  async #post(body: string): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#postOnce(body);
      } catch (error) {
        if (!(error instanceof AdapterError) || !isRetried(error) || attempt >= DEFAULT_RETRY_POLICY.maxRetries)
          throw error;
        const seconds = retryDelay(error, attempt, DEFAULT_RETRY_POLICY, this.#options.random ?? Math.random);
        const tooLong = whyNotWait(error, seconds, Number.POSITIVE_INFINITY);
        if (tooLong) throw tooLong;
        const stopped = AbortSignal.any([this.#options.stop, this.#options.abort]);
        await this.#options.sleep(seconds, stopped).catch(() => {
          throw new SalvoError('EXPORT_NOT_SENT', 'Stopped.', { outcome: 'unscored' });
        });
      }
    }
  }

  async #postOnce(body: string): Promise<unknown> {
    const { url, headers, timeoutSeconds } = this.#to;
    const packed = this.#to.gzip ? await promisify(gzip)(body) : body;
    const encoding = this.#to.gzip ? { 'content-encoding': 'gzip' } : {};
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    const signal = AbortSignal.any([timeout, this.#options.abort]);
    let status: number;
    let text: string;
    let answered: Headers;
    try {
      const response = await this.#fetch(url, {
        ...{ method: 'POST', body: packed, signal },
        headers: { 'content-type': 'application/json', ...encoding, ...headers },
      });
      ({ status, headers: answered } = response);
      text = await response.text();
    } catch (error) {
      if (error instanceof AdapterError) throw error;
      if (this.#options.abort.aborted) throw new SalvoError('EXPORT_NOT_SENT', 'Stopped.', { outcome: 'unscored' });
      if (timeout.aborted) {
        throw new AdapterError('timeout', `${this.#callee} did not answer within ${timeoutSeconds} s.`);
      }
      const reason = this.#plain(errorMessage(fetchReason(error)));
      throw new AdapterError('connection', `${this.#callee} could not be reached: ${reason}`, { cause: error });
    }
    if (status >= 200 && status < 300) return parsedAnswer(text);
    const said = serverMessage(text).trim();
    const message = `${this.#callee} answered with status ${status}${said === '' ? '' : `: ${this.#plain(said)}`}`;
    throw adapterErrorFromStatus({ status, message, headers: answered });
  }
}

/** As the specification of OTLP has them. A connection that failed is tried again, too. */
const RETRIED: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504]);

function isRetried({ kind, status }: AdapterError): boolean {
  return RETRIED.has(status) || (status === undefined && (kind === 'connection' || kind === 'timeout'));
}

function parsedAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
