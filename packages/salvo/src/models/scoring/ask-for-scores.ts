import type { AdapterTurnResult, ToolDefinition } from '../../adapters/adapter.ts';
import { AdapterError } from '../../adapters/adapter-error.ts';
import { type AtLeast, NO_COST } from '../../stats/cost.ts';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { agentCost, agentCostFields } from '../../trace/cost-fields.ts';
import type { Message } from '../../trace/message.ts';
import { type AskedModel, answerAsText, askAndRepair, askForDecision, type Reading } from '../ask/ask-and-repair.ts';
import { type Bill, createBill } from '../call/bill.ts';
import { type CachedVote, type VoteCache, voteKey } from '../call/vote-cache.ts';
import type { CriterionQuestion } from './read-decision.ts';
import type { VoteScores } from './read-scores.ts';
import { faultForJudge, faultForUser, readVote } from './read-vote.ts';
import type { ScoredCriterion } from './scoring-tool.ts';

export interface ScoreQuestion extends Omit<AskedModel, 'bill'> {
  criteria: readonly ScoredCriterion[];
  tool: ToolDefinition;
  messagesWith: (nonce: string) => Message[];
  /** Set for a decision model: the questions about the criteria, which it answers with probabilities. */
  decision?: readonly CriterionQuestion[] | undefined;
  /** Of the fence around the material. Its authors cannot know it. */
  nonce: string;
  cache: VoteCache | null;
  /**
   * Identifies what is judged, such as a trial: a cached vote is only for repeats of the same. Without it no vote is
   * cached, because votes on equal texts would not be independent.
   */
  subject: string | null;
  seed: number;
  trialNumber: number;
  /** From 1: which of several votes on the same material this is. */
  voteNumber: number;
  /** What to do when the question is too long for the model's context. Added to the error. */
  whenTooLong?: string | undefined;
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
  /** What is known of the cost, if it is not known exactly; missing in votes of earlier versions. */
  cost_at_least?: AtLeast | undefined;
  /** Whether an unreadable answer was followed up, successfully or not. */
  repaired: boolean;
  /** How many requests failed and were sent again, such as after a rate limit. */
  retries: number;
  cached: boolean;
  error: string | null;
}

/**
 * Asks a model to score criteria, or takes its cached vote. The third outcome is an `error`. Throws only if a cassette does
 * not have the vote: the other votes must not decide without it.
 */
export async function askForScores(question: ScoreQuestion): Promise<ScoreAnswer> {
  try {
    const key = cacheKey(question);
    const cached = await cachedVote(question, key);
    if (cached) return cachedAnswer(cached);
    return await (question.decision
      ? decide({ ...question, decision: question.decision }, key)
      : askModel(question, key));
  } catch (error) {
    if (isNotRecorded(error)) throw error;
    return { ...NO_ANSWER, error: errorMessage(error) };
  }
}

function isNotRecorded(error: unknown): boolean {
  return error instanceof AdapterError && error.kind === 'not_recorded';
}

/** Whether `askForScores` would find the vote in the cache. */
export async function isCached(question: ScoreQuestion): Promise<boolean> {
  return (await cachedVote(question, cacheKey(question))) !== null;
}

function cachedAnswer({ scores, input_tokens, output_tokens, repaired, unbilled = NO_COST }: CachedVote): ScoreAnswer {
  const cost = agentCostFields(unbilled);
  return { ...NO_ANSWER, scores, input_tokens, output_tokens, repaired, ...cost, cached: true };
}

async function cachedVote({ cache, criteria }: ScoreQuestion, key: string | null): Promise<CachedVote | null> {
  const vote = key === null ? null : await cache?.get(key);
  if (!vote) return null;
  // What was cached may have been redacted, including the names of the criteria.
  const names = new Set(criteria.map(({ name }) => name));
  const scored = Object.keys(vote.scores);
  return scored.length > 0 && scored.every((name) => names.has(name)) ? vote : null;
}

/** Nothing was asked, so the cost is 0. */
const NO_ANSWER: ScoreAnswer = {
  scores: null,
  raw_text: null,
  input_tokens: null,
  output_tokens: null,
  latency_seconds: 0,
  cost_usd: 0,
  repaired: false,
  retries: 0,
  cached: false,
  error: null,
};

async function askModel(question: ScoreQuestion, key: string | null): Promise<ScoreAnswer> {
  const { criteria, seed, trialNumber, voteNumber } = question;
  const bill = createBill();
  const messages = question.messagesWith(question.nonce);
  // Everything that the judge was shown.
  const material = messages.map(({ content }) => content ?? '').join('\n');
  const read = (result: AdapterTurnResult) => readVote(result, { criteria, material });
  const answer = await askAndRepair(
    { ...question, bill },
    {
      messages,
      tool: question.tool,
      conversation: { seed, trialNumber, voteNumber, request: 0 },
      read(result): Reading<VoteScores> {
        const reading = read(result);
        if ('scores' in reading) return { value: reading.scores };
        const { fault, usable } = reading;
        const problem = faultForJudge(fault);
        return usable ? { value: usable, problem } : { problem };
      },
    },
  );
  const asked = billedAnswer(bill);
  switch (answer.outcome) {
    case 'failed':
      if (answer.result === null) return failedAnswer(answer.error, question, bill);
      return {
        ...asked,
        repaired: true,
        raw_text: answerAsText(answer.result),
        error: failureWords(answer.error, question),
      };
    case 'refused':
      return {
        ...asked,
        repaired: answer.repaired,
        raw_text: answerAsText(answer.result),
        error: `The judge ${answer.reason}`,
      };
    case 'unreadable': {
      const reading = read(answer.result);
      const error = 'fault' in reading ? faultForUser(reading.fault, answer.result, question) : answer.problem;
      return { ...asked, repaired: true, raw_text: answerAsText(answer.result), error };
    }
    case 'read': {
      const { value: scores, repaired } = answer;
      return await keptAnswer({ ...asked, scores, repaired }, scores, question, key);
    }
  }
}

/** Asks once: a decision model would answer the same again. An answer that cannot be used is kept as it came. */
async function decide(
  question: ScoreQuestion & { decision: readonly CriterionQuestion[] },
  key: string | null,
): Promise<ScoreAnswer> {
  const { readDecision } = await import('./read-decision.ts');
  const { buildDecisionTool } = await import('./decision-tool.ts');
  const { seed, trialNumber, voteNumber } = question;
  const bill = createBill();
  const sent = await askForDecision(
    { ...question, bill },
    {
      messages: question.messagesWith(question.nonce),
      tool: buildDecisionTool(),
      decision: question.decision.map((each) => each.question),
      conversation: { seed, trialNumber, voteNumber, request: 0 },
    },
  );
  if ('error' in sent) return failedAnswer(sent.error, question, bill);
  const asked = billedAnswer(bill);
  const { result } = sent.reply;
  const reading = readDecision(result, question.decision);
  if ('value' in reading) return await keptAnswer({ ...asked, scores: reading.value }, reading.value, question, key);
  return { ...asked, raw_text: answerAsText(result), error: `The decision cannot be used. ${reading.problem}.` };
}

function billedAnswer(bill: Bill): ScoreAnswer {
  const { model_calls: _, ...usage } = bill.usage();
  return { ...NO_ANSWER, ...usage, latency_seconds: bill.latencySeconds(), retries: bill.retries() };
}

function failedAnswer(error: unknown, question: ScoreQuestion, bill: Bill): ScoreAnswer {
  const cost = agentCostFields(agentCost(bill.usage()));
  return { ...NO_ANSWER, ...cost, retries: bill.retries(), error: failureWords(error, question) };
}

/** Throws if a cassette does not have the vote. */
function failureWords(error: unknown, { whenTooLong }: ScoreQuestion): string {
  if (isNotRecorded(error)) throw error;
  const isTooLong = error instanceof AdapterError && error.kind === 'context_length';
  return `${errorMessage(error)}${isTooLong && whenTooLong ? ` ${whenTooLong}` : ''}`;
}

async function keptAnswer(
  answer: ScoreAnswer,
  scores: VoteScores,
  { cache }: ScoreQuestion,
  key: string | null,
): Promise<ScoreAnswer> {
  const { input_tokens, output_tokens, repaired } = answer;
  const cost = agentCostFields(agentCost(answer));
  if (key !== null) await cache?.set(key, { scores, input_tokens, output_tokens, repaired, ...cost });
  return answer;
}

/**
 * Of what is judged and of everything that could change the answer; null when it may not be cached. No answer depends
 * on the nonce.
 */
function cacheKey(question: ScoreQuestion): string | null {
  const { models, adapter, model, tool, temperature, maxTokens, voteNumber, subject } = question;
  const fingerprint = models.fingerprint(adapter);
  // Without a fingerprint another model may answer behind the same name.
  if (!question.cache || fingerprint === null || subject === null) return null;
  const provider = models.providerName(adapter);
  return voteKey({
    version: 2,
    subject,
    provider,
    fingerprint,
    model,
    temperature,
    maxTokens,
    tool,
    decision: question.decision?.map((each) => each.question),
    messages: question.messagesWith(''),
    voteNumber,
    // A model in this process samples with our seed. Any other samples with its own, whatever the trial.
    dice: provider === 'llama' && temperature > 0 ? [question.seed, question.trialNumber] : null,
  });
}
