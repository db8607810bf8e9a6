import type { ErrorCode } from '../text/errors/error-codes.ts';
import { errorCode, SalvoError } from '../text/errors/salvo-error.ts';

interface ErrorKind {
  code: ErrorCode;
  /** The same request may succeed a little later. */
  retryable?: boolean;
  /** A model may have answered, or an agent may have called one, before the failure. Providers do not charge for others. */
  mayBeCharged?: boolean;
}

const KINDS = {
  auth: { code: 'ADAPTER_AUTH' },
  not_found: { code: 'ADAPTER_NOT_FOUND' },
  bad_request: { code: 'ADAPTER_BAD_REQUEST' },
  /** The provider refuses what is in the request or in the answer. */
  content_filter: { code: 'ADAPTER_CONTENT_FILTER' },
  /** The request does not fit in the model's context. */
  context_length: { code: 'ADAPTER_CONTEXT_LENGTH' },
  rate_limit: { code: 'ADAPTER_RATE_LIMIT', retryable: true },
  overloaded: { code: 'ADAPTER_OVERLOADED', retryable: true },
  server: { code: 'ADAPTER_SERVER', retryable: true },
  connection: { code: 'ADAPTER_CONNECTION', retryable: true, mayBeCharged: true },
  timeout: { code: 'ADAPTER_TIMEOUT', retryable: true, mayBeCharged: true },
  bad_response: { code: 'ADAPTER_BAD_RESPONSE', mayBeCharged: true },
  missing_dependency: { code: 'ADAPTER_MISSING_DEPENDENCY' },
  script_exhausted: { code: 'ADAPTER_SCRIPT_EXHAUSTED' },
  /** A cassette is replayed, and does not have the request. */
  not_recorded: { code: 'ADAPTER_NOT_RECORDED' },
  aborted: { code: 'ADAPTER_ABORTED', mayBeCharged: true },
  /** The agent's own code threw, or its program failed. */
  crashed: { code: 'AGENT_CRASHED', mayBeCharged: true },
  /** The agent itself could not call its model or another service. */
  agent_provider: { code: 'AGENT_PROVIDER_FAILED', mayBeCharged: true },
} as const satisfies Record<string, ErrorKind>;

export type AdapterErrorKind = keyof typeof KINDS;

const kindOf = (kind: AdapterErrorKind): ErrorKind => KINDS[kind];

/** Codes of failures before a request could be sent. */
const NEVER_CONNECTED = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/;

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
    super(kindOf(kind).code, message, { cause: options.cause });
    this.agentStack = options.agentStack;
    this.kind = kind;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.asksForLongerWait = options.asksForLongerWait ?? false;
  }

  /** Whether the same request may succeed a little later. */
  get retryable(): boolean {
    return kindOf(this.kind).retryable ?? false;
  }

  /** Whether the request may have cost something, although there is no answer. */
  get mayBeCharged(): boolean {
    return (kindOf(this.kind).mayBeCharged ?? false) && !neverConnected(this.cause);
  }
}

/** A name with several addresses fails with one error for each. */
function neverConnected(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  if (NEVER_CONNECTED.test(errorCode(cause) ?? '')) return true;
  const each = cause instanceof AggregateError ? cause.errors : [cause.cause];
  return each.length > 0 && each.every(neverConnected);
}
