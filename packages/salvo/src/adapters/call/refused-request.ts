import { AdapterError } from '../adapter-error.ts';

/** How providers name a request that is too long: OpenAI, Azure, Groq; llama.cpp's server; a single text that is too long; Anthropic and proxies. */
const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'string_above_max_length',
  'request_too_large',
]);
/** Codes of a limit per minute, for which a shorter prompt is not the cure. */
const RATE_CODES: ReadonlySet<string> = new Set(['rate_limit_exceeded', 'tokens']);
/**
 * In words, where there is no code: OpenAI, vLLM, Mistral, DeepSeek ("maximum context length"), Anthropic, Bedrock,
 * Gemini, llama.cpp, xAI, Cohere, Text Generation Inference, LM Studio.
 */
const WORDS =
  /maximum (?:context|model|prompt) length|context (?:window|limit|size|length)|(?:prompt|input|request) is too (?:long|large)/i;
const MORE_WORDS =
  /input token count .{0,60}exceeds|too many tokens|must have less than \d{1,9} tokens|reduce the length of the (?:messages|prompt|input)/i;
const STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** How providers name a content filter: Azure, OpenAI, Alibaba. */
const FILTER_CODES: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'ResponsibleAIPolicyViolation',
  'moderation_blocked',
  'data_inspection_failed',
]);
/** In words: Anthropic, OpenAI's `invalid_prompt`, OpenRouter, which have no code of their own for it. */
const FILTER_WORDS = /content (?:filter|management polic|polic)|violating our usage polic|input was flagged/i;
const FILTER_STATUSES: ReadonlySet<number> = new Set([400, 403, 422]);

interface Refusal {
  status: number;
  codes: readonly string[];
  message: string;
}

interface RefusedRequest extends Refusal {
  provider: string;
  /** In words. */
  model: string;
  cause?: unknown;
}

/** The error for a request that a provider refuses whenever it is sent; null if it may be refused for another reason. */
export function refusalOf({ status, codes, message, provider, model, cause }: RefusedRequest): AdapterError | null {
  if (isContentFiltered({ status, codes, message })) {
    const blocked = `The content filter of ${provider} blocked the request or its answer (${status}): ${message}`;
    return new AdapterError('content_filter', blocked, { status, cause });
  }
  if (!isTooLong({ status, codes, message })) return null;
  const tooLong = `The request is too long for ${model} (${status}): ${message}`;
  return new AdapterError('context_length', tooLong, { status, cause });
}

/**
 * Whether a provider refused a request because it does not fit in the model's context. The same request would be
 * refused again. llama.cpp's server and some proxies answer with 500, but with a code.
 * @internal Exported for its tests.
 */
export function isTooLong({ status, codes, message }: Refusal): boolean {
  if (codes.some((code) => RATE_CODES.has(code))) return false;
  if (codes.some((code) => CODES.has(code))) return status >= 400;
  return status === 413 || (STATUSES.has(status) && (WORDS.test(message) || MORE_WORDS.test(message)));
}

/**
 * Whether a provider refused a request because of what is in it. The same request would be refused again.
 * @internal Exported for its tests.
 */
export function isContentFiltered({ status, codes, message }: Refusal): boolean {
  if (!FILTER_STATUSES.has(status)) return false;
  return codes.some((code) => FILTER_CODES.has(code)) || FILTER_WORDS.test(message);
}
