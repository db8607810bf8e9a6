import type { AdapterError } from '../../adapters/adapter-error.ts';
import { errorCode, errorsWithin } from '../../text/errors/salvo-error.ts';
import { memoByKey } from '../../text/memo.ts';

export type Outage = ReturnType<typeof createOutage>;

export type OutageOf = (adapter: string, model: string) => Outage;

/** Errors that do not depend on what was asked, and that waiting does not cure. */
const LASTING: ReadonlySet<AdapterError['kind']> = new Set(['auth', 'not_found', 'missing_dependency']);
/** A connection that was made and then broke off: the server is there. */
const BROKEN_OFF: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** This machine was short of something for a moment, so that a program could not be started. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** A server that is just starting refuses connections for a moment. */
const RETRIES_WHEN_UNREACHABLE = 2;
/** A model that has answered before may fail once by accident. */
const FAILURES_AFTER_ANSWERS = 2;

/** One for each adapter and model, shared by agents and judges, so that the first of them to fail stops the others. */
export function createOutages(): OutageOf {
  const byAdapter = memoByKey(() => memoByKey(createOutage));
  return (adapter, model) => byAdapter(adapter)(model);
}

/** What is known about one model of one adapter: whether a further request can succeed at all. */
function createOutage() {
  let proof: AdapterError | null = null;
  let hasAnswered = false;
  let failuresInARow = 0;
  return {
    /** The error that shows that no request can succeed; null as long as one may. */
    get proof() {
      return proof;
    },
    /** How often this error is worth another attempt. */
    mostRetries(error: AdapterError): number {
      if (hasAnswered || !isUnreachable(error)) return Number.POSITIVE_INFINITY;
      return causeCodes(error).includes('ENOTFOUND') ? 0 : RETRIES_WHEN_UNREACHABLE;
    },
    answered(): void {
      hasAnswered = true;
      failuresInARow = 0;
    },
    /** A request has failed for good, after its retries. */
    failed(error: AdapterError): void {
      if (!isLasting(error)) return;
      failuresInARow += 1;
      if (!hasAnswered || failuresInARow >= FAILURES_AFTER_ANSWERS) proof ??= error;
    },
  };
}

function isLasting(error: AdapterError): boolean {
  if (causeCodes(error).some((code) => SHORTAGES.has(code))) return false;
  return LASTING.has(error.kind) || error.asksForLongerWait || isUnreachable(error);
}

function isUnreachable(error: AdapterError): boolean {
  return error.kind === 'connection' && !causeCodes(error).some((code) => BROKEN_OFF.has(code));
}

/** The codes of an error's causes, such as ENOTFOUND. A name with several addresses gives one error for each. */
function causeCodes({ cause }: AdapterError): string[] {
  return errorsWithin(cause).flatMap((error) => errorCode(error) ?? []);
}
