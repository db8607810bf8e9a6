import { SalvoError } from '../text/salvo-error.ts';

export type AdapterErrorKind =
  | 'auth'
  | 'not_found'
  | 'bad_request'
  /** The provider refuses what is in the request or in the answer. */
  | 'content_filter'
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'bad_response'
  | 'missing_dependency'
  | 'script_exhausted'
  | 'aborted';

const RETRYABLE: ReadonlySet<AdapterErrorKind> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'connection',
  'timeout',
]);

/** A model or an agent could not be reached or did not give a usable answer. Never the agent's failure. */
export class AdapterError extends SalvoError {
  readonly kind: AdapterErrorKind;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: AdapterErrorKind,
    message: string,
    options: { status?: number | undefined; retryAfterSeconds?: number | undefined; cause?: unknown } = {},
  ) {
    super(`ADAPTER_${kind.toUpperCase()}`, message, { cause: options.cause });
    this.kind = kind;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Whether the same request may succeed a little later. */
  get retryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}
