import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { isNestedTooDeeply } from '../../text/json/nesting.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { RecordedStep } from '../../trace/forms/recorded/recorded-step.ts';
import { type Usage, usageSchema } from '../../trace/forms/usage.ts';
import { serverMessage } from '../call/http-status.ts';
import { isOutageStatus } from '../call/outage-signs.ts';
import type { ModelTarget } from './model-target.ts';
import type { ObservedRequest } from './observation.ts';
import type { WholeAnswer } from './whole-answer.ts';

type Json = Record<string, unknown>;

/** What came back for a request. */
export interface ReceivedAnswer {
  /** Null if there was none. */
  status: number | null;
  isStream: boolean;
  /** Empty if it is unknown. */
  contentType: string;
  text: string;
  /** Why the answer is missing or not complete; null if it is whole. */
  broken: string | null;
  /** The agent no longer waited for it. */
  isGivenUp: boolean;
}

/** One request of the agent to its model, and the answer. */
export interface ModelExchange {
  target: ModelTarget;
  request: Json | null;
  /** Null if there was none. */
  answer: unknown;
  model: string | null;
  usage: Usage | null;
  costUsd: number | null;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
  /** Why there is no whole answer; null if there is one. */
  error: string | null;
  /** The error says something about the provider or the network, and nothing about the agent. */
  isOutage: boolean;
}

/** The request as JSON; null if it is something else. */
export function requestJson(body: Buffer | null): Json | null {
  return jsonObject(body?.toString('utf8') ?? '');
}

function jsonObject(text: string): Json | null {
  const value = jsonOrUndefined(text);
  return isRecord(value) && !isNestedTooDeeply(value) ? value : null;
}

/** What a request may cost, and what its limits depend on. */
export function describeRequest(target: ModelTarget, request: Json | null, bytes: number): ObservedRequest {
  const config = isRecord(request?.generationConfig) ? request.generationConfig : {};
  const { max_tokens, max_completion_tokens, max_output_tokens, n } = request ?? {};
  const limits = [max_tokens, max_completion_tokens, max_output_tokens, config.maxOutputTokens];
  const most = limits.find((limit) => typeof limit === 'number' && limit > 0);
  const isSeveral = typeof n === 'number' && n > 1;
  return {
    provider: target.provider,
    model: modelOf(target, request) ?? 'unknown',
    bytes,
    maxTokens: typeof most === 'number' && !isSeveral ? most : undefined,
    tools: Array.isArray(request?.tools) ? [String(request.tools.length)] : [],
    place: messagesOf(request).filter(
      (message) => isRecord(message) && /^(?:assistant|model)$/.test(String(message.role)),
    ).length,
  };
}

function modelOf({ model }: ModelTarget, request: Json | null): string | null {
  return model ?? (typeof request?.model === 'string' ? request.model : null);
}

function messagesOf(request: Json | null): unknown[] {
  const { messages, contents, input } = request ?? {};
  return [messages, contents, input].find(Array.isArray) ?? [];
}

/** Reads an answer. Costs are added by the caller. */
export async function readExchange(
  target: ModelTarget,
  request: Json | null,
  received: ReceivedAnswer,
  times: Pick<ModelExchange, 'start' | 'end'>,
): Promise<ModelExchange> {
  const { answer, error } = await readAnswer(target, received);
  const { status, broken, isGivenUp } = received;
  return {
    target,
    request,
    answer,
    ...figuresOf(target, request, answer),
    costUsd: null,
    ...times,
    error,
    isOutage:
      error !== null && !isGivenUp && (broken !== null || status === null || isOutageStatus(status) || status === 200),
  };
}

function figuresOf(target: ModelTarget, request: Json | null, given: unknown): Pick<ModelExchange, 'model' | 'usage'> {
  const answer = isRecord(given) ? given : {};
  const named = answer.model ?? answer.modelVersion;
  const usage = answer.usage ?? answer.usageMetadata;
  // Embeddings have no output.
  const whole =
    isRecord(usage) && target.api === null && 'prompt_tokens' in usage ? { completion_tokens: 0, ...usage } : usage;
  return {
    model: typeof named === 'string' && named !== '' ? named : modelOf(target, request),
    usage: usageSchema.safeParse(withoutTotals(whole)).data ?? null,
  };
}

/** Gemini leaves out the tokens of an answer without any. */
function withoutTotals(usage: unknown): unknown {
  return isRecord(usage) && 'promptTokenCount' in usage ? { candidatesTokenCount: 0, ...usage } : usage;
}

async function readAnswer({ api }: ModelTarget, received: ReceivedAnswer): Promise<WholeAnswer> {
  const { status, text, broken, isStream } = received;
  if (status === null || status < 200 || status > 299) return { answer: null, error: broken ?? refusal(status, text) };
  if (isStream && api !== null) {
    const { streamedEvents, wholeAnswer } = await import('./whole-answer.ts');
    // An agent may hang up as soon as it has the whole answer.
    const { answer, error } = wholeAnswer(api, await streamedEvents(text));
    return { answer, error: error === null ? null : (broken ?? error) };
  }
  const answer = jsonObject(text);
  if (answer !== null || api === null) return { answer, error: broken };
  return { answer, error: broken ?? `the answer is not a JSON object: ${quoteOutput(text, { length: 200 })}` };
}

function refusal(status: number | null, text: string): string {
  const words = quoteOutput(serverMessage(text), { length: 300 });
  return `status ${status}${words === '' ? '' : `: ${words}`}`;
}

/** An exchange as a step of a recorded trace. */
export function stepOfExchange(exchange: ModelExchange, index: number): RecordedStep {
  const { target, request, answer, model, usage, costUsd, start, end, error } = exchange;
  return {
    id: `request ${index + 1}`,
    parent: null,
    kind: target.api === null ? 'other' : 'model',
    name: target.url.pathname,
    place: `request ${index + 1} (${target.url.pathname})`,
    fields: ['request', 'answer'],
    input: target.api === null ? null : sentMessages(request),
    output: target.api === null ? null : answer,
    ...{ start, end, model, usage, cost_usd: costUsd, error, callId: null },
  };
}

/** All messages of a request as one list, with the system prompt that some APIs have beside them. */
function sentMessages(request: Json | null): unknown {
  if (request === null) return null;
  const { system, instructions, systemInstruction, system_instruction, input } = request;
  const prompt = textOf(system ?? instructions ?? systemInstruction ?? system_instruction);
  const messages = typeof input === 'string' ? [{ role: 'user', content: input }] : messagesOf(request);
  return [...(prompt === '' ? [] : [{ role: 'system', content: prompt }]), ...messages];
}

function textOf(prompt: unknown): string {
  if (typeof prompt === 'string') return prompt;
  const parts = isRecord(prompt) ? prompt.parts : prompt;
  if (!Array.isArray(parts)) return '';
  return parts.map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : '')).join('\n');
}
