import { newNonce } from '../../models/ask/fence.ts';
import { isWholeAgent } from '../../models/ask/tool-choice.ts';
import type { ModelCaller } from '../../models/call/model-caller.ts';
import type { VoteCache } from '../../models/call/vote-cache.ts';
import type { ScoreQuestion } from '../../models/scoring/ask-for-scores.ts';
import { buildScoringTool } from '../../models/scoring/scoring-tool.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import type { JudgeMode } from '../../scenario/schema/shared-fields.ts';
import { memoByKey } from '../../text/memo.ts';
import { buildDecisionMessages, buildJudgeMessages } from '../prompt/judge-messages.ts';
import type { JudgedInput, JudgedMaterial } from '../prompt/judged-material.ts';
import { decisionQuestions } from '../prompt/prompt.ts';
import { voteOutcomes } from './aggregation.ts';
import type { JudgeMetadata, VoteRecord } from './judge-metadata.ts';
import { askAboutParts } from './part-votes.ts';

export interface Judge {
  adapter: string;
  model: string;
  weight: number;
  /** `decide`: a decision model, asked typed questions. A chat model when missing. */
  mode?: JudgeMode | undefined;
}

/** One judge of a cascade. */
export interface CascadeStage {
  judge: Judge;
  k: number;
  /** It decides what it is at least this sure of; null: everything. */
  sure: number | null;
}

/** Judges in order: each decides what it is sure of, and the next one decides the rest. */
export interface Cascade {
  stages: readonly CascadeStage[];
  /** What remains is decided by the labels of people, and is unscored without them. */
  people: boolean;
}

/** What is asked of the judges, whatever they judge. */
export interface JudgeSettings extends Omit<JudgedInput, 'trace' | 'scenario'> {
  /** Replaces the default instructions; the rubric and the rules of the fence are added in any case. */
  customPrompt?: string | undefined;
  /** How many characters of a trial the judge may see at once; by its context when missing, and 200,000 at most. */
  maxContextCharacters?: number | undefined;
  /** One, or a panel; each gives `k` votes. A decision model gives one that counts like k. */
  judges: readonly Judge[];
  /** What was done with the answers before: votes on others do not say how the judge votes on these. */
  transform?: unknown;
  /** If it is given, `judges` are those of its stages. */
  cascade?: Cascade | undefined;
  k: number;
  threshold: number;
  temperature: number;
  maxTokens: number;
  /** How long a vote may take, with retries, without the wait for a free place of the adapter; 300 if missing. */
  timeoutSeconds?: number | undefined;
  /** `median` when missing. */
  aggregation?: JudgeMetadata['aggregation'] | undefined;
  /** Casts no vote that cannot change the outcome: the verdict, and the score where `isScoreSettled` is given. */
  earlyStop?: boolean | undefined;
}

/** Everything that decides the votes of a judgement. */
export interface BallotRequest extends JudgeSettings, Pick<JudgedInput, 'trace' | 'scenario'> {
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
  voteNumber: number;
  /** One for each part of the material. */
  questions: ScoreQuestion[];
  criteria: readonly CriterionLike[];
  threshold: number;
  /** How many votes it counts for: one, or all k of a decision model. */
  counts: number;
}

/**
 * Who casts each vote. The judges of a panel take turns, so that early stopping hears every one. A decision model would
 * answer the same each time, so it votes once.
 */
export function votersOf({ judges, k }: Pick<JudgeSettings, 'judges' | 'k'>): Judge[] {
  const rounds = Array.from({ length: k }, (_, round) => judges.filter(({ mode }) => round === 0 || mode !== 'decide'));
  return rounds.flat();
}

/** One ballot for each vote. */
export function ballotsFor(request: BallotRequest, { parts }: Pick<JudgedMaterial, 'parts'>): Ballot[] {
  const { criteria, k, threshold } = request;
  const question = {
    models: request.models,
    temperature: request.temperature,
    maxTokens: request.maxTokens,
    timeoutSeconds: request.timeoutSeconds,
    criteria,
    tool: buildScoringTool(criteria),
    nonce: (request.newNonce ?? newNonce)(),
    cache: request.cache ?? null,
    subject: request.subject ?? null,
    seed: request.seed ?? 0,
    trialNumber: request.trialNumber ?? 1,
    signal: request.signal,
    whenTooLong: TOO_LONG_ADVICE,
  };
  const { customPrompt } = request;
  // The same for all votes of a judgement, so that it is written once and providers can cache it.
  const messagesOf = parts.map((part) =>
    memoByKey((nonce) => buildJudgeMessages({ criteria, customPrompt, part, nonce })),
  );
  return votersOf(request).map((judge, index) => {
    const { adapter, model } = judge;
    const asked = { ...question, adapter, model, voteNumber: index + 1 };
    const questions =
      judge.mode === 'decide'
        ? decisionsAbout(parts, request, asked)
        : messagesOf.map((messagesWith) => ({ ...asked, messagesWith }));
    const counts = judge.mode === 'decide' ? k : 1;
    return { judge, voteNumber: index + 1, questions, criteria, threshold, counts };
  });
}

/** The questions to a decision model, one for each part of the material. */
function decisionsAbout(
  parts: JudgedMaterial['parts'],
  { criteria, customPrompt, models }: BallotRequest,
  asked: Omit<ScoreQuestion, 'messagesWith'>,
): ScoreQuestion[] {
  const decision = decisionQuestions(criteria);
  const inText = isWholeAgent(models.providerName(asked.adapter)) ? decision.map(({ question }) => question) : null;
  return parts.map((part) => ({
    ...asked,
    decision,
    messagesWith: (nonce) => buildDecisionMessages({ criteria, customPrompt, part, nonce }, inText),
  }));
}

/** Added to the error of a provider whose context is too small. */
const TOO_LONG_ADVICE =
  'The judge cannot read that much at once: set a smaller max_context_characters in the assertion, or under judge: in salvo.yaml.';

/** More than half of the votes have to be readable. */
export function quorumOf(ballots: readonly Pick<Ballot, 'counts'>[]): number {
  return Math.floor(votesIn(ballots) / 2) + 1;
}

export function votesIn(ballots: readonly Pick<Ballot, 'counts'>[]): number {
  return ballots.reduce((total, { counts }) => total + counts, 0);
}

/** Asks a judge once, and once more when its answer cannot be read. A vote may have no scores. */
export async function castVote({ judge, voteNumber, questions, criteria, threshold }: Ballot): Promise<VoteRecord> {
  const answer = await askAboutParts(questions, criteria);
  const [outcome = { score: null, passed: null }] = answer.scores
    ? voteOutcomes([answer.scores], criteria, threshold)
    : [];
  return {
    vote_number: voteNumber,
    judge_adapter: judge.adapter,
    judge_model: judge.model,
    ...(judge.mode === 'decide' && { judge_mode: judge.mode }),
    ...outcome,
    ...answer,
  };
}
