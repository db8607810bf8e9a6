import { newNonce } from '../../models/ask/fence.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { VoteCache } from '../../models/call/vote-cache.ts';
import { askForScores, type ScoreQuestion } from '../../models/scoring/ask-for-scores.ts';
import { buildScoringTool } from '../../models/scoring/scoring-tool.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import { memoByKey } from '../../text/memo.ts';
import { buildJudgeMessages, type JudgeMessagesInput } from '../prompt/judge-messages.ts';
import { voteOutcomes } from './aggregation.ts';
import type { VoteRecord } from './judge-metadata.ts';

export interface Judge {
  adapter: string;
  model: string;
  weight: number;
}

/** Everything that decides the votes of a judgement. */
export interface BallotRequest extends Omit<JudgeMessagesInput, 'nonce' | 'limits'> {
  /** One, or a panel; each gives `k` votes. */
  judges: readonly Judge[];
  k: number;
  threshold: number;
  temperature: number;
  maxTokens: number;
  /** How long a vote may take, with retries, without the wait for a free place of the adapter; 300 if missing. */
  timeoutSeconds?: number | undefined;
  models: ModelCaller;
  cache?: VoteCache | null | undefined;
  /**
   * Identifies what is judged, such as a trial. A cached vote is only used for the same subject, and without one no vote
   * is cached: votes on the equal answers of two trials must be independent.
   */
  subject?: string | null | undefined;
  seed?: number | undefined;
  trialNumber?: number | undefined;
  signal?: AbortSignal | undefined;
  newNonce?: (() => string) | undefined;
}

/** One vote that has to be cast. */
export interface Ballot {
  judge: Judge;
  question: ScoreQuestion;
  criteria: readonly CriterionLike[];
  threshold: number;
}

/** The votes of a panel take turns, so that early stopping hears every judge. */
export function ballotsFor(request: BallotRequest): Ballot[] {
  const { criteria, judges, k, threshold } = request;
  const question = {
    models: request.models,
    temperature: request.temperature,
    maxTokens: request.maxTokens,
    timeoutSeconds: request.timeoutSeconds,
    criteria,
    tool: buildScoringTool(criteria),
    // The same for all votes of a judgement, so that it is written once and providers can cache it.
    messagesWith: memoByKey((nonce) => buildJudgeMessages({ ...request, nonce })),
    nonce: (request.newNonce ?? newNonce)(),
    cache: request.cache ?? null,
    subject: request.subject ?? null,
    seed: request.seed ?? 0,
    trialNumber: request.trialNumber ?? 1,
    signal: request.signal,
  };
  const inTurn = Array.from({ length: k }, () => judges).flat();
  return inTurn.map((judge, index) => {
    const { adapter, model } = judge;
    return { judge, question: { ...question, adapter, model, voteNumber: index + 1 }, criteria, threshold };
  });
}

/** More than half of the votes have to be readable. */
export function quorumOf(ballots: readonly Ballot[]): number {
  return Math.floor(ballots.length / 2) + 1;
}

/** Asks a judge once, and once more when its answer cannot be read. Never throws: a vote may have no scores. */
export async function castVote({ judge, question, criteria, threshold }: Ballot): Promise<VoteRecord> {
  const answer = await askForScores(question);
  const [outcome = { score: null, passed: null }] = answer.scores
    ? voteOutcomes([answer.scores], criteria, threshold)
    : [];
  return {
    vote_number: question.voteNumber,
    judge_adapter: judge.adapter,
    judge_model: judge.model,
    ...outcome,
    ...answer,
  };
}
