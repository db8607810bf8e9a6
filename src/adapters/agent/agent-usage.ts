import { z } from 'zod';
import type { Usage } from '../adapter.ts';

const tokens = z.number().nonnegative();
const maybeTokens = tokens.nullish();

/** Tokens in our names, OpenAI's (`prompt_tokens`) or Anthropic's, whose input does not include cached tokens. */
export const agentUsageSchema = z
  .object({
    input_tokens: maybeTokens,
    output_tokens: maybeTokens,
    prompt_tokens: maybeTokens,
    completion_tokens: maybeTokens,
    cache_read_tokens: maybeTokens,
    cache_write_tokens: maybeTokens,
    cache_read_input_tokens: maybeTokens,
    cache_creation_input_tokens: maybeTokens,
    prompt_tokens_details: z.object({ cached_tokens: maybeTokens }).nullish(),
  })
  .nullish()
  .transform((usage): Usage | null => {
    const input = usage?.input_tokens ?? usage?.prompt_tokens;
    const output = usage?.output_tokens ?? usage?.completion_tokens;
    if (input == null || output == null) return null;
    const cacheRead =
      usage?.cache_read_tokens ?? usage?.cache_read_input_tokens ?? usage?.prompt_tokens_details?.cached_tokens;
    const cacheWrite = usage?.cache_write_tokens ?? usage?.cache_creation_input_tokens;
    return {
      input_tokens: input + (usage?.cache_read_input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0),
      output_tokens: output,
      ...(cacheRead == null ? {} : { cache_read_tokens: cacheRead }),
      ...(cacheWrite == null ? {} : { cache_write_tokens: cacheWrite }),
    };
  });
