/** How providers name it: OpenAI, Azure, Groq; llama.cpp's server; a single text that is too long; Anthropic and proxies. */
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

/**
 * Whether a provider refused a request because it does not fit in the model's context. The same request would be
 * refused again. llama.cpp's server and some proxies answer with 500, but with a code.
 */
export function isTooLong(failure: { status: number; codes: readonly string[]; message: string }): boolean {
  const { status, codes, message } = failure;
  if (codes.some((code) => RATE_CODES.has(code))) return false;
  if (codes.some((code) => CODES.has(code))) return status >= 400;
  return status === 413 || (STATUSES.has(status) && (WORDS.test(message) || MORE_WORDS.test(message)));
}
