import type { ToolDefinition } from '../../adapters/adapter.ts';
import { answerAsText } from '../../models/answer-as-text.ts';
import type { ModelCaller, ModelReply } from '../../models/model-caller.ts';
import { fillTemplate, JUDGE_REPAIR_TEMPLATE } from '../../models/templates.ts';
import { type CachedVote, type VoteCache, voteKey } from '../../models/vote-cache.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import type { Message } from '../../trace/message.ts';
import { judgeExtras } from '../prompt/prompt.ts';
import { voteOutcomes } from './aggregation.ts';
import { describeUnreadable, unreadableReason } from './describe-unreadable.ts';
import { extractScores } from './extraction.ts';
import type { VoteRecord, VoteScores } from './vote.ts';

export interface Judge {
  adapter: string;
  model: string;
  weight: number;
}

export interface Ballot {
  judge: Judge;
  voteNumber: number;
  criteria: readonly CriterionLike[];
  tool: ToolDefinition;
  threshold: number;
  temperature: number;
  maxTokens: number;
  messagesWith: (nonce: string) => Message[];
  /** Of the fence around what is judged. Nobody who wrote it can have known this. */
  nonce: string;
  models: ModelCaller;
  cache: VoteCache | null;
  seed: number;
  trialNumber: number;
  signal: AbortSignal | undefined;
}

/** Asks a judge once, and once more when its answer cannot be read. Never throws: a vote can also be none. */
export async function castVote(ballot: Ballot): Promise<VoteRecord> {
  const { judge, criteria, threshold } = ballot;
  const empty: VoteRecord = {
    vote_number: ballot.voteNumber,
    judge_adapter: judge.adapter,
    judge_model: judge.model,
    scores: null,
    score: null,
    passed: null,
    raw_text: null,
    input_tokens: null,
    output_tokens: null,
    latency_seconds: 0,
    cost_usd: 0,
    repaired: false,
    cached: false,
    error: null,
  };
  const scored = (scores: VoteScores) => ({ scores, ...voteOutcomes([scores], criteria, threshold)[0] });
  try {
    const provider = ballot.models.providerName(judge.adapter);
    const fingerprint = ballot.models.fingerprint(judge.adapter);
    const cache = fingerprint === null ? null : ballot.cache;
    const key = cache ? ballotKey(ballot, provider) : '';
    const known = await cache?.get(key);
    if (known && isVoteOn(known, criteria)) {
      const { scores, ...figures } = known;
      return { ...empty, ...figures, ...scored(scores), cached: true };
    }
    const asked = await ask(ballot, provider);
    const figures = figuresOf(asked.replies);
    if (!asked.scores) {
      return { ...empty, ...figures, repaired: asked.repaired, raw_text: asked.text, error: asked.problem };
    }
    const { input_tokens, output_tokens } = figures;
    await cache?.set(key, { scores: asked.scores, input_tokens, output_tokens, repaired: asked.repaired });
    return { ...empty, ...figures, ...scored(asked.scores), repaired: asked.repaired };
  } catch (error) {
    // Whether the failed request was charged nobody tells; what is not answered is not charged by any provider known.
    return { ...empty, error: error instanceof Error ? error.message : String(error) };
  }
}

interface Asked {
  scores: VoteScores | null;
  replies: ModelReply[];
  repaired: boolean;
  text: string | null;
  problem: string | null;
}

async function ask(ballot: Ballot, provider: string): Promise<Asked> {
  const { criteria } = ballot;
  const messages = ballot.messagesWith(ballot.nonce);
  const first = await send(ballot, provider, messages, 0);
  const scores = extractScores(first.result, criteria);
  if (scores) return { scores, replies: [first], repaired: false, text: null, problem: null };

  const problem = describeUnreadable(first.result, criteria);
  const followUp: Message[] = [
    ...messages,
    { role: 'assistant', content: answerAsText(first.result) || '(no answer)', tool_calls: [] },
    { role: 'user', content: fillTemplate(JUDGE_REPAIR_TEMPLATE, { problem }) },
  ];
  try {
    const second = await send(ballot, provider, followUp, first.requests);
    const repaired = extractScores(second.result, criteria);
    const replies = [first, second];
    if (repaired) return { scores: repaired, replies, repaired: true, text: null, problem: null };
    const still = unreadableReason(second.result, criteria);
    return { scores: null, replies, repaired: true, text: answerAsText(second.result), problem: still };
  } catch (error) {
    // The first answer was paid for and stays on the bill.
    const reason = error instanceof Error ? error.message : String(error);
    return { scores: null, replies: [first], repaired: true, text: answerAsText(first.result), problem: reason };
  }
}

function send(ballot: Ballot, provider: string, messages: Message[], request: number): Promise<ModelReply> {
  const { judge, tool, models, seed, trialNumber, voteNumber } = ballot;
  return models.call({
    adapter: judge.adapter,
    messages,
    tools: [tool],
    config: {
      model: judge.model,
      temperature: ballot.temperature,
      max_tokens: ballot.maxTokens,
      extras: judgeExtras(provider, tool.name),
      signal: ballot.signal,
      conversation: { seed, trial_number: trialNumber, vote_number: voteNumber, request },
    },
  });
}

function figuresOf(replies: ModelReply[]) {
  const sum = (of: (reply: ModelReply) => number | null | undefined): number | null =>
    replies.reduce<number | null>((total, reply) => {
      const part = of(reply) ?? null;
      return total === null || part === null ? null : total + part;
    }, 0);
  return {
    input_tokens: sum(({ result }) => result.usage?.input_tokens),
    output_tokens: sum(({ result }) => result.usage?.output_tokens),
    cost_usd: sum(({ cost_usd }) => cost_usd),
    latency_seconds: replies.reduce((total, { latency_seconds }) => total + latency_seconds, 0),
  };
}

/** What was kept may have been redacted, down to the names of the criteria. */
export function isVoteOn({ scores }: CachedVote, criteria: readonly CriterionLike[]): boolean {
  const names = new Set(criteria.map(({ name }) => name));
  const scored = Object.keys(scores);
  return scored.length > 0 && scored.every((name) => names.has(name));
}

/** The nonce changes with every judgement and no answer depends on it, so the key is made with none. */
export function ballotKey(ballot: Ballot, provider: string): string {
  const { judge, tool, temperature, maxTokens, voteNumber } = ballot;
  return voteKey({
    version: 1,
    provider,
    fingerprint: ballot.models.fingerprint(judge.adapter),
    model: judge.model,
    temperature,
    maxTokens,
    tool,
    messages: ballot.messagesWith(''),
    voteNumber,
    // A model in this process rolls our dice. Any other rolls its own, and the trial is nothing to it.
    dice: provider === 'llama' && temperature > 0 ? [ballot.seed, ballot.trialNumber] : null,
  });
}
