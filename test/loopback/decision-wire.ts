import { z } from 'zod';
import type { ReceivedRequest, Reply } from './loopback-server.ts';

const message = z.strictObject({ role: z.enum(['system', 'user']), content: z.string() });
const named = { name: z.string(), instructions: z.string() };

/** What `POST /v1/decisions` takes, by the types of the package openai, of what is asked here. Other fields are refused. */
const requestSchema = z.strictObject({
  model: z.string(),
  input: z.array(message),
  questions: z.array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('predicate'), ...named }),
      z.strictObject({
        type: z.literal('score'),
        ...named,
        levels: z.array(z.strictObject({ label: z.string(), description: z.string().optional() })).min(2),
      }),
    ]),
  ),
});

export type DecisionRequest = z.infer<typeof requestSchema>;

/** The body of a request to `/v1/decisions`. Throws if a server would refuse it. */
export function decisionRequest({ method, path, body }: ReceivedRequest): DecisionRequest {
  if (method !== 'POST' || path !== '/v1/decisions') throw new Error(`not a decision: ${method} ${path}`);
  return requestSchema.parse(body);
}

/** A decision as OpenAI sends it. */
export function decision(answers: unknown, rest: Record<string, unknown> = {}): Reply {
  const usage = {
    ...{ input_tokens: 1000, output_tokens: 4, total_tokens: 1004 },
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  };
  return { json: { answers, model: 'gpt-6-luna', usage, ...rest } };
}

const LABELS = ['completely fails', 'mostly fails', 'partially meets', 'mostly meets', 'fully meets'];

/** The answer to a question with the five levels of the default scale. */
export function scoreAnswer(name: string, shares: readonly unknown[], labels: readonly string[] = LABELS) {
  const probabilities = labels.map((label, value) => ({ label, value, probability: shares[value] }));
  return { type: 'score', name, score: 0, confidence: 1, probabilities };
}

export function predicateAnswer(name: string, probability: unknown) {
  return { type: 'predicate', name, probability };
}
