import { newNonce } from '../models/fence.ts';
import type { ModelCaller } from '../models/model-caller.ts';
import type { VoteCache } from '../models/vote-cache.ts';
import type { CriterionLike } from '../scenario/schema/criterion-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { sumOrUnknown } from '../stats/sum-or-unknown.ts';
import type { Trace } from '../trace/trace.ts';
import { judgeHash } from './judge-hash.ts';
import type { JudgeMetadata } from './judge-metadata.ts';
import type { ContextSection } from './prompt/judge-context.ts';
import { buildJudgeMessages } from './prompt/judge-messages.ts';
import { buildScoringTool } from './prompt/prompt.ts';
import { aggregateKVotes, describeVotes } from './votes/aggregation.ts';
import { type Ballot, castVote, type Judge } from './votes/cast-vote.ts';
import { isVerdictSettled, nextWave, type VoteTally } from './votes/early-stop.ts';
import { panelOutcome } from './votes/panel.ts';
import type { VoteRecord, VoteScores } from './votes/vote.ts';

/** What is asked of the judges, whatever they judge. */
export interface JudgeSettings {
  criteria: readonly CriterionLike[];
  /** One, or a panel; each gives `k` votes. */
  judges: readonly Judge[];
  k: number;
  threshold: number;
  temperature: number;
  maxTokens: number;
  aggregation?: JudgeMetadata['aggregation'] | undefined;
  sections?: readonly ContextSection[] | undefined;
  includeSystemPrompt?: boolean | undefined;
  customPrompt?: string | undefined;
  /** Buy no vote that can't change the verdict. */
  earlyStop?: boolean | undefined;
}

export interface JudgeRequest extends JudgeSettings {
  trace: Trace;
  scenario?: Scenario | undefined;
  models: ModelCaller;
  cache?: VoteCache | null | undefined;
  seed?: number | undefined;
  trialNumber?: number | undefined;
  signal?: AbortSignal | undefined;
  newNonce?: (() => string) | undefined;
}

export interface Judgement {
  /** Null when too few votes could be read: the third outcome. */
  score: number | null;
  passed: boolean;
  metadata: JudgeMetadata;
}

/** Has a trace judged against a rubric: k votes of each judge, the median of each criterion, a majority's verdict. */
export async function judgeTrace(request: JudgeRequest): Promise<Judgement> {
  const { criteria, threshold, aggregation = 'median' } = request;
  const ballots = ballotsOf(request);
  const quorum = quorumOf(ballots);
  const votes = request.earlyStop ? await castInWaves(ballots, quorum) : await Promise.all(ballots.map(castVote));
  const readable = votes.flatMap((vote) => (vote.scores ? [{ vote, scores: vote.scores }] : []));
  const scores = readable.map((each) => each.scores);
  const weights = readable.map(({ vote }) => ballots[vote.vote_number - 1]?.judge.weight ?? 1);
  const result = aggregateKVotes(scores, criteria, threshold, { aggregation, voteWeights: weights });
  const hasQuorum = readable.length >= quorum;
  return {
    score: hasQuorum ? result.overallScore : null,
    passed: hasQuorum && result.passed,
    metadata: metadataOf({ request, ballots, votes, scores, weights, result, aggregation }),
  };
}

/** More than half of the votes have to be readable. */
export function quorumOf(ballots: readonly unknown[]): number {
  return Math.floor(ballots.length / 2) + 1;
}

/** The votes of a panel take turns, so that early stopping hears every judge. */
export function ballotsOf(request: JudgeRequest): Ballot[] {
  const { criteria, trace, scenario, judges, k } = request;
  const tool = buildScoringTool(criteria);
  // The same for all votes of a judgement, so that it is written once and providers can cache it.
  const messagesWith = remembered((nonce: string) =>
    buildJudgeMessages({
      criteria,
      trace,
      scenario,
      sections: request.sections,
      includeSystemPrompt: request.includeSystemPrompt,
      customPrompt: request.customPrompt,
      nonce,
    }),
  );
  const nonce = (request.newNonce ?? newNonce)();
  const inTurn = Array.from({ length: k }, () => judges).flat();
  return inTurn.map((judge, index) => ({
    judge,
    voteNumber: index + 1,
    criteria,
    tool,
    threshold: request.threshold,
    temperature: request.temperature,
    maxTokens: request.maxTokens,
    messagesWith,
    nonce,
    models: request.models,
    cache: request.cache ?? null,
    seed: request.seed ?? 0,
    trialNumber: request.trialNumber ?? 1,
    signal: request.signal,
  }));
}

function remembered<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}

async function castInWaves(ballots: Ballot[], quorum: number): Promise<VoteRecord[]> {
  const votes: VoteRecord[] = [];
  for (;;) {
    const open = ballots.slice(votes.length);
    const tally = tallyOf(votes, ballots, quorum);
    if (open.length === 0 || isVerdictSettled(tally)) return votes;
    const wave = nextWave(
      tally,
      open.map(({ judge }) => judge),
    );
    votes.push(...(await Promise.all(open.slice(0, wave).map(castVote))));
  }
}

function tallyOf(votes: VoteRecord[], ballots: Ballot[], quorum: number): VoteTally {
  const weightOf = (voteNumber: number): number => ballots[voteNumber - 1]?.judge.weight ?? 1;
  const sum = (passed: boolean): number =>
    votes.reduce((total, vote) => total + (vote.passed === passed ? weightOf(vote.vote_number) : 0), 0);
  return {
    passed: sum(true),
    failed: sum(false),
    open: ballots.slice(votes.length).reduce((total, { judge }) => total + judge.weight, 0),
    openVotes: ballots.length - votes.length,
    quorum,
    readable: votes.filter(({ scores }) => scores !== null).length,
  };
}

function metadataOf(parts: {
  request: JudgeRequest;
  ballots: Ballot[];
  votes: VoteRecord[];
  scores: VoteScores[];
  weights: number[];
  result: ReturnType<typeof aggregateKVotes>;
  aggregation: JudgeMetadata['aggregation'];
}): JudgeMetadata {
  const { request, ballots, votes, scores, weights, result, aggregation } = parts;
  const { criteria, judges, threshold } = request;
  const described = describeVotes(scores, criteria, threshold, {
    passed: result.passed,
    aggregation,
    voteWeights: weights,
  });
  return {
    judge_model: judges.map(({ model }) => model).join('+'),
    judge_adapter: judges.map(({ adapter }) => adapter).join('+'),
    judge_k: request.k,
    judge_cost_usd: sumOrUnknown(votes.map(({ cost_usd }) => cost_usd)),
    per_criterion: described.perCriterion,
    votes,
    aggregation,
    threshold,
    dissenting_votes: described.dissentingVotes,
    saved_calls: ballots.length - votes.length,
    cached_votes: votes.filter(({ cached }) => cached).length,
    judge_hash: judgeHash(request, request.models),
    panel: judges.length > 1 ? panelOutcome({ judges, votes, criteria, threshold, aggregation }) : null,
  };
}
