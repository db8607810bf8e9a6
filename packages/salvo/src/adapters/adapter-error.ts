import type { ErrorCode } from '../text/errors/error-codes.ts';
import { errorCode, SalvoError } from '../text/errors/salvo-error.ts';

export type AdapterErrorKind =
  | 'auth'
  | 'not_found'
  | 'bad_request'
  /** The provider refuses what is in the request or in the answer. */
  | 'content_filter'
  /** The request does not fit in the model's context. */
  | 'context_length'
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'bad_response'
  | 'missing_dependency'
  | 'script_exhausted'
  | 'aborted'
  /** The agent's own code threw, or its program failed. */
  | 'crashed'
  /** The agent itself could not call its model or another service. */
  | 'agent_provider';

const CODES: Record<AdapterErrorKind, ErrorCode> = {
  auth: 'ADAPTER_AUTH',
  not_found: 'ADAPTER_NOT_FOUND',
  bad_request: 'ADAPTER_BAD_REQUEST',
  content_filter: 'ADAPTER_CONTENT_FILTER',
  context_length: 'ADAPTER_CONTEXT_LENGTH',
  rate_limit: 'ADAPTER_RATE_LIMIT',
  overloaded: 'ADAPTER_OVERLOADED',
  server: 'ADAPTER_SERVER',
  connection: 'ADAPTER_CONNECTION',
  timeout: 'ADAPTER_TIMEOUT',
  bad_response: 'ADAPTER_BAD_RESPONSE',
  missing_dependency: 'ADAPTER_MISSING_DEPENDENCY',
  script_exhausted: 'ADAPTER_SCRIPT_EXHAUSTED',
  aborted: 'ADAPTER_ABORTED',
  // What the agent did, not the adapter.
  crashed: 'AGENT_CRASHED',
  agent_provider: 'AGENT_PROVIDER_FAILED',
};

const RETRYABLE: ReadonlySet<AdapterErrorKind> = new Set([
  'rate_limit',
  'overloaded',
  'server',
  'connection',
  'timeout',
]);

/** A model may have answered, or an agent may have called one, before the failure. Providers do not charge for others. */
const MAY_BE_CHARGED: ReadonlySet<AdapterErrorKind> = new Set([
  'connection',
  'timeout',
  'bad_response',
  'aborted',
  'crashed',
  'agent_provider',
]);

/** Codes of failures before a request could be sent. */
const NEVER_CONNECTED: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A model or an agent could not be reached, crashed, or did not give a usable answer. */
export class AdapterError extends SalvoError {
  readonly kind: AdapterErrorKind;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Whether the server asks for a longer wait than a run can make. */
  readonly asksForLongerWait: boolean;
  /** Where the agent's own code threw, or the end of what its program wrote to stderr. */
  readonly agentStack: string | undefined;

  constructor(
    kind: AdapterErrorKind,
    message: string,
    options: {
      status?: number | undefined;
      retryAfterSeconds?: number | undefined;
      asksForLongerWait?: boolean | undefined;
      agentStack?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(CODES[kind], message, { cause: options.cause });
    this.agentStack = options.agentStack;
    this.kind = kind;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.asksForLongerWait = options.asksForLongerWait ?? false;
  }

  /** Whether the same request may succeed a little later. */
  get retryable(): boolean {
    return RETRYABLE.has(this.kind);
  }

  /** Whether the request may have cost something, although there is no answer. */
  get mayBeCharged(): boolean {
    return MAY_BE_CHARGED.has(this.kind) && !neverConnected(this.cause);
  }
}

/** A name with several addresses fails with one error for each. */
function neverConnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (NEVER_CONNECTED.has(errorCode(cause))) return true;
  const each = cause instanceof AggregateError ? cause.errors : [cause.cause];
  return each.length > 0 && each.every(neverConnected);
}
