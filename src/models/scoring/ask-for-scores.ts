import type { ToolDefinition } from '../../adapters/adapter.ts';
import { errorMessage } from '../../text/salvo-error.ts';
import type { Message } from '../../trace/message.ts';
import { answerAsText } from '../answer-as-text.ts';
import { type AskedModel, askAndRepair, type Reading } from '../ask-and-repair.ts';
import { createBill } from '../bill.ts';
import { type CachedVote, type VoteCache, voteKey } from '../vote-cache.ts';
import { describeUnreadable, unreadableReason } from './describe-unreadable.ts';
import { extractScores } from './extract-scores.ts';
import type { VoteScores } from './read-scores.ts';
import type { ScoredCriterion } from './scoring-tool.ts';

export interface ScoreQuestion extends Omit<AskedModel, 'bill'> {
  criteria: readonly ScoredCriterion[];
  tool: ToolDefinition;
  messagesWith: (nonce: string) => Message[];
  /** Of the fence around the material. Its authors cannot know it. */
  nonce: string;
  cache: VoteCache | null;
  seed: number;
  trialNumber: number;
  /** From 1: which of several votes on the same material this is. */
  voteNumber: number;
}

/** A model's scores with what they cost. Stored as part of a vote. */
export interface ScoreAnswer {
  /** Null when the answer could not be read, or there was none. */
  scores: VoteScores | null;
  /** The answer, when it could not be read. */
  raw_text: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  latency_seconds: number;
  cost_usd: number | null;
  /** Whether an unreadable answer was followed up, successfully or not. */
  repaired: boolean;
  cached: boolean;
  error: string | null;
}

/** Asks a model to score criteria, or takes its cached vote. Never throws: the third outcome is an `error`. */
export async function askForScores(question: ScoreQuestion): Promise<ScoreAnswer> {
  try {
    const key = cacheKey(question);
    const cached = await cachedVote(question, key);
    return cached ? { ...NO_ANSWER, ...cached, cached: true } : await askModel(question, key);
  } catch (error) {
    return { ...NO_ANSWER, error: messageOf(error) };
  }
}

/** Whether `askForScores` would find the vote in the cache. */
export async function isCached(question: ScoreQuestion): Promise<boolean> {
  return (await cachedVote(question, cacheKey(question))) !== null;
}

async function cachedVote({ cache, criteria }: ScoreQuestion, key: string | null): Promise<CachedVote | null> {
  const vote = key === null ? null : await cache?.get(key);
  if (!vote) return null;
  // What was cached may have been redacted, including the names of the criteria.
  const names = new Set(criteria.map(({ name }) => name));
  const scored = Object.keys(vote.scores);
  return scored.length > 0 && scored.every((name) => names.has(name)) ? vote : null;
}

/** No provider charges for a request that it does not answer, so the cost is 0. */
const NO_ANSWER: ScoreAnswer = {
  scores: null,
  raw_text: null,
  input_tokens: null,
  output_tokens: null,
  latency_seconds: 0,
  cost_usd: 0,
  repaired: false,
  cached: false,
  error: null,
};

async function askModel(question: ScoreQuestion, key: string | null): Promise<ScoreAnswer> {
  const { criteria, cache, seed, trialNumber, voteNumber } = question;
  const bill = createBill();
  const answer = await askAndRepair(
    { ...question, bill },
    {
      messages: question.messagesWith(question.nonce),
      tool: question.tool,
      conversation: { seed, trialNumber, voteNumber, request: 0 },
      read(result): Reading<VoteScores> {
        const scores = extractScores(result, criteria);
        return scores ? { value: scores } : { problem: describeUnreadable(result, criteria) };
      },
    },
  );
  if (answer.outcome === 'failed' && answer.result === null) return { ...NO_ANSWER, error: messageOf(answer.error) };
  const { model_calls: _, ...usage } = bill.usage();
  const asked: ScoreAnswer = { ...NO_ANSWER, ...usage, latency_seconds: bill.latencySeconds() };
  if (answer.outcome !== 'read') {
    return {
      ...asked,
      repaired: true,
      raw_text: answer.result && answerAsText(answer.result),
      error: answer.outcome === 'failed' ? messageOf(answer.error) : unreadableReason(answer.result, criteria),
    };
  }
  const { value: scores, repaired } = answer;
  const { input_tokens, output_tokens } = asked;
  if (key !== null) await cache?.set(key, { scores, input_tokens, output_tokens, repaired });
  return { ...asked, scores, repaired };
}

function messageOf(error: unknown): string {
  return errorMessage(error);
}

/** Of everything that could change the answer; null when it may not be cached. No answer depends on the nonce. */
function cacheKey(question: ScoreQuestion): string | null {
  const { models, adapter, model, tool, temperature, maxTokens, voteNumber } = question;
  const fingerprint = models.fingerprint(adapter);
  // Without a fingerprint another model may answer behind the same name.
  if (!question.cache || fingerprint === null) return null;
  const provider = models.providerName(adapter);
  return voteKey({
    version: 1,
    provider,
    fingerprint,
    model,
    temperature,
    maxTokens,
    tool,
    messages: question.messagesWith(''),
    voteNumber,
    // A model in this process samples with our seed. Any other samples with its own, whatever the trial.
    dice: provider === 'llama' && temperature > 0 ? [question.seed, question.trialNumber] : null,
  });
}
