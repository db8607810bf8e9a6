import type { AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { embeddingTurn } from '../embedding.ts';
import type { LlamaEmbeddingContext, LlamaModel } from './llama-library.ts';

export interface LlamaEmbedder {
  model: LlamaModel;
  context: LlamaEmbeddingContext;
}

/** Embeds the texts one after the other. The library itself lets requests wait for the context. */
export async function llamaEmbedding(
  { model, context }: LlamaEmbedder,
  { messages, signal }: Pick<TurnRequest, 'messages'> & { signal: AbortSignal },
): Promise<AdapterTurnResult> {
  const embeddings: number[][] = [];
  let tokens = 0;
  for (const { content } of messages) {
    signal.throwIfAborted();
    const text = content ?? '';
    embeddings.push([...(await context.getEmbeddingFor(text)).vector]);
    tokens += model.tokenize(text).length;
  }
  return embeddingTurn(embeddings, { usage: { input_tokens: tokens, output_tokens: 0 }, cost_usd: 0 });
}
