import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import { fetchReason, MAX_ANSWER_BYTES } from '../call/guarded-fetch.ts';
import { isOutageStatus } from '../call/outage-signs.ts';
import { streamKind } from '../call/read-events.ts';
import { eitherSignal } from '../call/shared-signal.ts';
import { answerHeaders, type Forward, requestHeaders, forward as sendOn } from './forward.ts';
import { bodyOf, refuse } from './loopback-server.ts';
import {
  describeRequest,
  type ModelExchange,
  type ReceivedAnswer,
  readExchange,
  requestJson,
} from './model-exchange.ts';
import { isLoop, type ModelTarget, modelTarget } from './model-target.ts';
import type { AdmittedRequest, ExchangeTape, ObservedTrial, TapedAnswer, TapedRequest } from './observation.ts';

/** Requests and answers of one turn that are kept in memory. */
const MAX_RECORDED_BYTES = 4 * MAX_ANSWER_BYTES;

/** What a recorder writes down while an agent works on one turn. */
export interface ModelSession {
  trial: ObservedTrial;
  /** Aborted when the turn is over. */
  signal: AbortSignal;
  exchanges: ModelExchange[];
  bytes: number;
  /** Requests under way. */
  pending: Set<Promise<unknown>>;
  /** Requests that could not be recorded. */
  problems: string[];
  /** Why a request was not allowed: the budget is spent, or the run was stopped. */
  refusal: { error: unknown } | null;
  /** How long the model took when the answers of this turn were recorded; null if none is replayed. */
  replayedMs: number | null;
  /** Answers are kept in the order in which they came. */
  kept: Promise<void>;
}

export function newSession(trial: ObservedTrial, signal: AbortSignal): ModelSession {
  const replayedMs = trial.tape?.mode === 'replay' ? 0 : null;
  const nothing = { exchanges: [], bytes: 0, problems: [], refusal: null, kept: Promise.resolve() };
  return { trial, signal, pending: new Set(), replayedMs, ...nothing };
}

interface Recorder {
  env: Record<string, string | undefined>;
  forward?: Forward | undefined;
}

const LOOP =
  'the base URL of the model leads to the recorder itself: set it for the server that is tested, and not where Salvo runs';

/** Sends one request of an agent on to its model, the answer back to the agent, and writes both down. */
export async function recordRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  session: ModelSession,
  { env, forward = sendOn }: Recorder,
): Promise<void> {
  const body = await bodyOf(incoming).catch(() => null);
  if (body === null) {
    session.problems.push('the agent broke off a request to its model');
    return;
  }
  const most = MAX_ANSWER_BYTES / 1024 ** 2;
  if (body === undefined) {
    session.problems.push(`the agent sent its model a request of more than ${most} MB, which was not sent on`);
    return refuse(response, 413, `the request has more than ${most} MB.`);
  }
  session.bytes += body.length;
  if (session.bytes > MAX_RECORDED_BYTES) {
    session.problems.push(`the requests of one turn have more than ${MAX_RECORDED_BYTES / 1024 ** 2} MB`);
    return refuse(response, 413, 'the requests of this turn are too large to be recorded.');
  }
  const target = modelTarget(incoming.url ?? '/', incoming.headers, env);
  const request = requestJson(body);
  const taped = { target, method: incoming.method ?? 'GET', path: incoming.url ?? '/', json: request, body };
  if (session.trial.tape?.mode === 'replay') return replay(response, taped, session, session.trial.tape);
  const loop = isLoop(target, incoming.socket.localPort) ? LOOP : null;
  const problem = target.problem ?? loop;
  if (problem !== null) {
    session.problems.push(problem);
    // SDKs do not send a request again that was answered with this status.
    return refuse(response, 400, `${problem}.`);
  }
  const admitted = await admit({ target, request, body, session }).catch((error: unknown) => {
    session.refusal ??= { error };
    return null;
  });
  // Not 429, which SDKs send again.
  if (admitted === null) return refuse(response, 402, errorMessage(session.refusal?.error));
  const hungUp = new AbortController();
  response.once('close', () => response.writableFinished || hungUp.abort());
  using gone = eitherSignal(hungUp.signal, session.signal);
  const start = Date.now();
  const received = await passOn(response, () =>
    forward({
      method: taped.method,
      url: target.url,
      headers: requestHeaders(incoming.headers),
      body: body.length === 0 ? null : body,
      signal: gone.signal,
    }),
  );
  session.bytes += received.text.length;
  const exchange = await readExchange(target, request, received, { start, end: Date.now() });
  if (taped.method === 'POST') session.exchanges.push(exchange);
  const settled = settle(admitted, exchange, received, taped.method);
  session.kept = session.kept.then(async () => {
    exchange.costUsd = await settled;
    await keep(taped, exchange, received, session.trial);
  });
  await session.kept;
}

/** Writes an answer down that depends on nothing but the request, and is whole. */
async function keep(
  request: TapedRequest,
  { error, start, end, costUsd }: ModelExchange,
  { status, contentType, text, broken }: ReceivedAnswer,
  { tape }: ObservedTrial,
): Promise<void> {
  if (tape?.mode !== 'record' || status === null || isOutageStatus(status)) return;
  const isWhole = status < 300 ? error === null : broken === null;
  if (isWhole) await tape.keep(request, { status, contentType, text, latencySeconds: (end - start) / 1000, costUsd });
}

/** Answers a request with what was recorded. Nothing is sent, so that neither limits nor the budget are asked. */
async function replay(
  response: ServerResponse,
  request: TapedRequest,
  session: ModelSession,
  tape: ExchangeTape & { mode: 'replay' },
): Promise<void> {
  let answer: TapedAnswer;
  try {
    answer = tape.answerOf(request);
  } catch (error) {
    session.refusal ??= { error };
    // SDKs do not send a request again that was answered with this status.
    return refuse(response, 404, errorMessage(error));
  }
  const { status, contentType, text, latencySeconds, costUsd } = answer;
  const headers = new Headers(contentType === '' ? {} : { 'content-type': contentType });
  const received = await passOn(response, async () => new Response(text === '' ? null : text, { status, headers }));
  const start = Date.now() + (session.replayedMs ?? 0);
  const end = start + latencySeconds * 1000;
  session.replayedMs = (session.replayedMs ?? 0) + latencySeconds * 1000;
  if (request.method !== 'POST') return;
  const exchange = await readExchange(request.target, request.json, received, { start, end });
  session.exchanges.push({ ...exchange, costUsd });
}

async function admit(call: {
  target: ModelTarget;
  request: Record<string, unknown> | null;
  body: Buffer;
  session: ModelSession;
}): Promise<AdmittedRequest> {
  const { target, request, body, session } = call;
  return session.trial.admit(describeRequest(target, request, body.length), session.signal);
}

/** Tells the budget what a request cost. */
async function settle(
  admitted: AdmittedRequest,
  exchange: ModelExchange,
  received: ReceivedAnswer,
  method: string,
): Promise<number | null> {
  if (exchange.error === null && method === 'POST')
    return admitted.answered(exchange.usage, exchange.model ?? undefined);
  const isRefused = method !== 'POST' || (received.status !== null && received.status >= 300);
  if (isRefused) admitted.notCharged();
  else admitted.maybeCharged();
  return isRefused ? 0 : null;
}

/** Sends the answer to the agent as it comes, and returns all of it. */
async function passOn(response: ServerResponse, send: () => Promise<Response>): Promise<ReceivedAnswer> {
  let status: number | null = null;
  let isStream = false;
  let contentType = '';
  const decoder = new TextDecoder();
  let text = '';
  try {
    const answer = await send();
    status = answer.status;
    contentType = answer.headers.get('content-type') ?? '';
    isStream = isStreamed(answer, response.req.url ?? '');
    response.writeHead(answer.status, answerHeaders(answer.headers));
    response.flushHeaders();
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
    return { status, isStream, contentType, text, broken: null, isGivenUp: false };
  } catch (error) {
    const isGivenUp = response.destroyed;
    const broken = isGivenUp
      ? 'the agent broke off the request'
      : quoteOutput(errorMessage(fetchReason(error)), { length: 300 });
    if (response.headersSent) response.destroy();
    else await refuse(response, 502, broken);
    return { status, isStream, contentType, text, broken, isGivenUp };
  }
}

function isStreamed(answer: Response, path: string): boolean {
  return streamKind(answer) === 'sse' || (path.includes(':streamGenerateContent') && answer.ok);
}

async function drained(response: ServerResponse): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  response.once('close', resolve);
  await promise;
}
