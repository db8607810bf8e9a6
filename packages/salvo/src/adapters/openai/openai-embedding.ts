import { z } from 'zod';
import type { AdapterTurnResult, TurnRequest } from '../adapter.ts';
import { embeddingTurn, embeddingUsageSchema } from '../embedding.ts';
import { unreadableBody } from '../sdk/response-body.ts';
import { errorInBody } from './openai-response.ts';

/** The body of a request to `/v1/embeddings`. As numbers: servers differ in whether they know base64. */
export function openAiEmbeddingBody({ messages, config }: TurnRequest) {
  return {
    model: config.model,
    input: messages.map(({ content }) => content ?? ''),
    encoding_format: 'float',
    ...config.extras,
  };
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.unknown() })),
  usage: embeddingUsageSchema,
});

/** The embeddings in the order of the texts, which the answer need not keep. */
export function openAiEmbedding(body: unknown): AdapterTurnResult {
  const answer = answerSchema.safeParse(body);
  if (!answer.success) {
    throw errorInBody(body) ?? unreadableBody({ body, expected: 'embeddings', problem: answer.error });
  }
  const { data, usage } = answer.data;
  const ordered = data
    .map((each, position) => ({ position, ...each }))
    .toSorted((a, b) => (a.index ?? a.position) - (b.index ?? b.position));
  return embeddingTurn(
    ordered.map(({ embedding }) => embedding),
    { usage },
  );
}
