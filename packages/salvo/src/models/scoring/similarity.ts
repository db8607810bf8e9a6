import { z } from 'zod';
import type { AdapterTurnResult } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { EMBEDDING_TOOL } from '../../adapters/embedding.ts';
import { NO_COST } from '../../stats/cost.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { extractJsonFromText } from '../../text/json/json-in-text.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import { askForEmbeddings } from '../ask/ask-and-repair.ts';
import { createBill, type ModelUsage } from '../call/bill.ts';
import type { ModelCaller } from '../call/model-caller.ts';
import { type VoteCache, voteKey } from '../call/vote-cache.ts';

/** An embedding model. */
export interface Embedder {
  adapter: string;
  model: string;
  timeoutSeconds: number;
}

interface Comparison {
  answer: string;
  texts: readonly string[];
  embedder: Embedder;
  models: ModelCaller;
  cache: VoteCache | null;
  signal: AbortSignal | undefined;
  seed: number;
  trialNumber: number;
}

type Paid = Pick<ModelUsage, 'cost_usd' | 'cost_at_least'>;

/** The cosine of the answer with the most similar text, whose position is `nearest`; or why it is not known. */
export type Similarity = ({ similarity: number; nearest: number; cached: boolean } | { error: string }) & Paid;

/**
 * Embeds the answer and the texts in one request. The same texts have the same embeddings, so that every trial can use what
 * is cached. Throws only if a cassette does not have the request.
 */
export async function similarityOf(comparison: Comparison): Promise<Similarity> {
  const { answer, texts, cache } = comparison;
  const key = cacheKey(comparison);
  const known = key === null ? null : await cache?.get(key);
  const cached = known && readCached(known.scores, texts.length);
  if (cached) return { ...cached, cached: true, ...agentCostFields(known.unbilled ?? NO_COST) };
  const { embedder, models, signal, seed, trialNumber } = comparison;
  const bill = createBill();
  const asked = { models, ...embedder, bill, signal };
  const conversation = { seed, trialNumber, request: 0 };
  const sent = await askForEmbeddings(asked, { texts: [answer, ...texts], conversation });
  const { input_tokens, output_tokens, ...cost } = bill.usage();
  if ('error' in sent) {
    if (sent.error instanceof AdapterError && sent.error.kind === 'not_recorded') throw sent.error;
    return { error: errorMessage(sent.error), ...cost };
  }
  const read = nearestOf(sent.reply.result, texts.length);
  if ('error' in read) return { ...read, ...cost };
  const { similarity, nearest } = read;
  const scores = { [SIMILARITY]: { score: Math.min(1, Math.max(0, similarity)), reasoning: String(nearest) } };
  const vote = { scores, input_tokens, output_tokens, repaired: false, ...agentCostFields(agentCost(cost)) };
  if (key !== null) await cache?.set(key, vote);
  return { similarity, nearest, cached: false, ...cost };
}

/** The name under which a cached similarity is kept. */
const SIMILARITY = 'similarity';

function readCached(scores: Record<string, { score: number; reasoning: string }>, texts: number) {
  const { score, reasoning } = scores[SIMILARITY] ?? {};
  const nearest = Number(reasoning);
  if (score === undefined || !(Number.isInteger(nearest) && nearest >= 0 && nearest < texts)) return null;
  return { similarity: score, nearest };
}

/** Null if another model may answer behind the same name. */
function cacheKey({ answer, texts, embedder, models, cache }: Comparison): string | null {
  const fingerprint = cache ? models.fingerprint(embedder.adapter) : null;
  if (fingerprint === null) return null;
  const provider = models.providerName(embedder.adapter);
  return voteKey({ version: 1, similarity: true, provider, fingerprint, model: embedder.model, answer, texts });
}

const vectorsSchema = z.array(z.array(z.number()).min(1));

/** The embeddings of an answer: those of the tool call, or of a text that is JSON. */
function nearestOf(
  result: AdapterTurnResult,
  texts: number,
): { similarity: number; nearest: number } | { error: string } {
  const call = result.tool_calls.find(({ name }) => name === EMBEDDING_TOOL);
  const given = call ? call.arguments : extractJsonFromText(result.content ?? '');
  const { data: vectors } = vectorsSchema.safeParse(given?.embeddings);
  const [answer, ...others] = vectors ?? [];
  if (!answer || others.length !== texts) {
    const found = vectors ? `${vectors.length} embeddings` : 'no embeddings';
    return { error: `The model gave ${found} for ${texts + 1} texts. It should give a list of numbers for each.` };
  }
  if (others.some(({ length }) => length !== answer.length)) {
    return { error: 'The embeddings have different lengths.' };
  }
  const cosines = others.map((each) => cosine(answer, each));
  const similarity = Math.max(...cosines);
  if (!Number.isFinite(similarity))
    return { error: 'An embedding has no direction: all its numbers are 0, or too large.' };
  return { similarity, nearest: cosines.indexOf(similarity) };
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let [product, lengthA, lengthB] = [0, 0, 0];
  for (const [index, x] of a.entries()) {
    const y = b[index] ?? 0;
    product += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return product / Math.sqrt(lengthA * lengthB);
}
