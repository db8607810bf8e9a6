import { z } from 'zod';
import type { AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { AdapterError } from '../adapter-error.ts';
import { embeddingTurn, embeddingUsageSchema } from '../embedding.ts';
import type { AiSdk, AiSdkProvider } from './ai-sdk-provider.ts';

interface AiSdkEmbedding extends TurnRequest {
  sdk: AiSdk;
  provider: AiSdkProvider;
  signal: AbortSignal;
}

const resultSchema = z.object({ embeddings: z.array(z.unknown()), usage: embeddingUsageSchema });

/** Asks an embedding model of the AI SDK for all texts at once. */
export async function aiSdkEmbedding({
  sdk,
  provider,
  messages,
  config,
  signal,
}: AiSdkEmbedding): Promise<AdapterTurnResult> {
  if (!sdk.embedMany) {
    throw new AdapterError(
      'missing_dependency',
      'Embeddings need version 5 of the package ai. Run: npm install ai@latest',
    );
  }
  const result = await sdk.embedMany({
    model: provider.embeddingModel(config.model),
    values: messages.map(({ content }) => content ?? ''),
    // Retries are made, and recorded, by the caller of the adapter.
    maxRetries: 0,
    abortSignal: signal,
  });
  const read = resultSchema.safeParse(result);
  if (read.success) return embeddingTurn(read.data.embeddings, { usage: read.data.usage });
  const message = 'The installed version of the package ai embeds in an unknown format. Run: npm install ai@latest';
  throw new AdapterError('bad_response', message, { cause: read.error });
}
