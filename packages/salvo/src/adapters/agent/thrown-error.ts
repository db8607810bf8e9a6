import { ownStack } from '../../text/errors/own-stack.ts';
import { errorCode, errorsWithin, SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { AdapterError } from '../adapter-error.ts';
import { isOutageStatus, NETWORK_CODE } from '../call/outage-signs.ts';

/** Errors of the SDKs of models that need no status to be trouble with the provider. */
const PROVIDER_NAMES: ReadonlySet<string> = new Set([
  'APIConnectionError',
  'APIConnectionTimeoutError',
  'AI_APICallError',
  'AI_LoadAPIKeyError',
  'AI_RetryError',
  'TimeoutError',
]);

interface Thrower {
  callee: string;
  /** The folder of the project. */
  root: string;
  /** Only an agent can crash. An adapter that breaks says nothing about the agent that it calls. */
  kind: 'agent' | 'adapter';
}

/**
 * The error for what code of the user threw. Trouble with a provider or the network is not the agent's fault: the trial
 * cannot be scored. Anything else is a crash of the agent. Our own errors pass through: they come from the engine, in a
 * tool call, or an adapter of the user threw them on purpose.
 */
export function thrownError({ callee, root, kind }: Thrower, thrown: unknown): SalvoError {
  if (thrown instanceof SalvoError) return thrown;
  const agentStack = ownStack(thrown, root);
  const trouble = providerTrouble(thrown);
  const seen = { agentStack, cause: thrown };
  if (trouble !== undefined) return agentProviderError({ callee, trouble }, seen);
  const message = `${callee} threw an error: ${quoteOutput(describe(thrown))}`;
  return new AdapterError(kind === 'agent' ? 'crashed' : 'bad_response', message, seen);
}

/** The agent could not do its work because of a provider or the network, so that nothing can be said about it. */
export function agentProviderError(
  { callee, trouble }: { callee: string; trouble: string },
  seen: { agentStack?: string | undefined; cause?: unknown } = {},
): AdapterError {
  const message = `${callee} could not call its model or another service: ${quoteOutput(trouble)}`;
  return new AdapterError('agent_provider', message, seen);
}

/** What a provider or the network said; undefined if neither caused the error. */
function providerTrouble(thrown: unknown): string | undefined {
  for (const error of errorsWithin(thrown)) {
    const status = statusOf(error);
    if (status !== undefined)
      return error.message.includes(String(status)) ? error.message : `${status} ${error.message}`;
    const code = errorCode(error) ?? '';
    if (NETWORK_CODE.test(code)) return error.message || code;
    if (PROVIDER_NAMES.has(error.name) || PROVIDER_NAMES.has(error.constructor.name))
      return error.message || error.name;
  }
  return undefined;
}

/**
 * The HTTP status of a service that refused or failed. Of 4xx only those that say nothing about the request itself,
 * unless a model's SDK threw it: a 404 of some other service may well be the agent's mistake.
 */
function statusOf(error: Error): number | undefined {
  const response = 'response' in error && isRecord(error.response) ? error.response.status : undefined;
  const given = [Reflect.get(error, 'status'), Reflect.get(error, 'statusCode'), response];
  const status = given.find((value) => typeof value === 'number' && value >= 400 && value <= 599);
  if (typeof status !== 'number') return undefined;
  const isSdk = error.name.startsWith('AI_') || 'request_id' in error || 'requestID' in error;
  return isSdk || isOutageStatus(status) ? status : undefined;
}

function describe(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name;
  if (!isRecord(thrown)) return String(thrown);
  const message = typeof thrown.message === 'string' ? `: ${thrown.message}` : '';
  return `an object with ${Object.keys(thrown).join(', ') || 'no fields'}${message}`;
}
