import { z } from 'zod';
import type { AdapterConfig, AdapterTurnResult } from './adapter.ts';
import { AdapterError } from './adapter-error.ts';

/** The tool call that stands for embeddings: its arguments are `{ embeddings }`. Programs and scripts answer with it, too. */
export const EMBEDDING_TOOL = 'embed';

/** A turn that has an embedding of each message. They are as the model sent them: whoever asked checks them. */
export function embeddingTurn(
  embeddings: unknown,
  rest: Pick<AdapterTurnResult, 'usage' | 'model' | 'cost_usd'>,
): AdapterTurnResult {
  return {
    content: null,
    tool_calls: [{ id: 'embedding_1', name: EMBEDDING_TOOL, arguments: { embeddings } }],
    finish_reason: 'tool_calls',
    // Thousands of numbers that the call has already.
    raw_response: null,
    ...rest,
  };
}

/** Throws if embeddings are asked of an adapter whose provider has none. */
export function refuseEmbedding(provider: string, { embed }: Pick<AdapterConfig, 'embed'>): void {
  if (!embed) return;
  const advice = 'choose an adapter of type openai, ai-sdk, llama, module, exec or http';
  throw new AdapterError('bad_request', `The adapter ${provider} has no embeddings: ${advice}.`);
}

const tokens = z.number().nonnegative().nullish();

/** OpenAI counts `prompt_tokens`, the AI SDK `tokens`. Nothing is generated. */
export const embeddingUsageSchema = z
  .object({ prompt_tokens: tokens, input_tokens: tokens, tokens })
  .nullish()
  .catch(null)
  .transform((usage) => {
    const input = usage?.prompt_tokens ?? usage?.input_tokens ?? usage?.tokens;
    // The AI SDK has NaN for a server that reports no tokens.
    return input == null || Number.isNaN(input) ? null : { input_tokens: input, output_tokens: 0 };
  });
