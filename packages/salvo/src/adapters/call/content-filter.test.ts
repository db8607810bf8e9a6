import { describe, expect, it } from 'vitest';
import { isContentFiltered } from './refused-request.ts';

describe('a content filter', () => {
  it.each([
    ['Azure', 400, ['content_filter'], 'The response was filtered.'],
    ['Azure, inside', 400, ['ResponsibleAIPolicyViolation'], ''],
    ['Azure, in words', 400, [], "The prompt triggered Azure OpenAI's content management policy."],
    ['OpenAI', 400, ['invalid_prompt'], 'Invalid prompt: flagged as potentially violating our usage policy.'],
    ['Anthropic', 400, ['invalid_request_error'], 'Output blocked by content filtering policy'],
    ['OpenRouter', 403, [], 'The model requires moderation. Your input was flagged for "violence".'],
    ['Alibaba', 400, ['data_inspection_failed'], 'Input data may contain inappropriate content.'],
  ])('of %s is recognised', (_, status, codes, message) => {
    expect(isContentFiltered({ status, codes, message })).toBe(true);
  });

  it.each([
    ['a wrong request', 400, ['invalid_prompt'], "Invalid prompt: 'messages' must not be empty."],
    ['a field of that name', 400, [], 'The content of messages[0] must be a string.'],
    ['an error of the server', 500, ['content_filter'], 'content filter crashed'],
    ['a rate limit', 429, [], 'The content policy service is busy.'],
  ])('is not %s', (_, status, codes, message) => {
    expect(isContentFiltered({ status, codes, message })).toBe(false);
  });
});
