import { describe, expect, it } from 'vitest';
import { isTooLong } from './refused-request.ts';

const refusal = (message: string, status = 400, ...codes: string[]) => ({ status, codes, message });

describe('a request that does not fit in the context', () => {
  it.each([
    ['OpenAI', refusal('Too long.', 400, 'context_length_exceeded')],
    [
      'OpenAI in words',
      refusal(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
      ),
    ],
    ['OpenAI, newer', refusal('Your input exceeds the context window of this model.')],
    ['Anthropic', refusal('prompt is too long: 210000 tokens > 200000 maximum', 400, 'invalid_request_error')],
    [
      'Anthropic with its answer',
      refusal('input length and `max_tokens` exceed context limit: 199000 + 4096 > 200000'),
    ],
    ['Anthropic, by size', refusal('Request exceeds the maximum size', 413, 'request_too_large')],
    ['Gemini', refusal('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).')],
    ['vLLM', refusal("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.")],
    ['vLLM, newer', refusal('The decoder prompt (length 5000) is longer than the maximum model length of 4096.')],
    [
      'llama.cpp',
      refusal('the request exceeds the available context size, try increasing it', 400, 'exceed_context_size_error'),
    ],
    ['llama.cpp with a 500', refusal('context', 500, 'exceed_context_size_error')],
    ['Bedrock', refusal('Input is too long for requested model.')],
    ['xAI', refusal("This model's maximum prompt length is 131072 but the request contains 200000 tokens.")],
  ])('is recognised: %s', (_, failure) => {
    expect(isTooLong(failure)).toBe(true);
  });

  it.each([
    ['a rate limit', refusal('Request too large for model: tokens per minute', 413, 'rate_limit_exceeded')],
    ['another bad request', refusal('temperature must be below 2')],
    ['an error of the server', refusal('context window', 500)],
    ['a missing model', refusal('no such model', 404)],
  ])('is not %s', (_, failure) => {
    expect(isTooLong(failure)).toBe(false);
  });
});
