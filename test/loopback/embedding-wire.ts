import { z } from 'zod';
import type { ReceivedRequest, Reply } from './loopback-server.ts';

/** What `POST /v1/embeddings` takes, of what is asked here. Other fields are refused. */
const requestSchema = z.strictObject({
  model: z.string(),
  input: z.array(z.string().min(1)).min(2),
  encoding_format: z.literal('float'),
});

/** The texts of a request to `/v1/embeddings`. Throws if a server would refuse it. */
export function embeddedTexts({ method, path, body }: ReceivedRequest): string[] {
  if (method !== 'POST' || path !== '/v1/embeddings') throw new Error(`no embeddings: ${method} ${path}`);
  return requestSchema.parse(body).input;
}

/** Embeddings as OpenAI sends them. */
export function embeddings(vectors: readonly unknown[], rest: Record<string, unknown> = {}): Reply {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { json: { object: 'list', data, model: 'm', usage: { prompt_tokens: 8, total_tokens: 8 }, ...rest } };
}
