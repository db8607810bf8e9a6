import { newNonce } from '../../models/ask/fence.ts';
import { isWholeAgent } from '../../models/ask/tool-choice.ts';
import type { ScoreQuestion } from '../../models/scoring/ask-for-scores.ts';
import { sumCosts } from '../../stats/cost.ts';
import { middleCut } from '../../text/words/cut-text.ts';
import { agentCost, judgeCostFields } from '../../trace/cost-fields.ts';
import type { Trace } from '../../trace/trace.ts';
import { contextLimit } from '../context-limit.ts';
import { type JudgeIdentity, judgeHash } from '../judge-hash.ts';
import type { Judgement } from '../judge-trace.ts';
import { leftOutNote } from '../prompt/left-out.ts';
import { describeVotes } from '../votes/aggregation.ts';
import { type BallotRequest, castVote, type Judge, votersOf } from '../votes/cast-vote.ts';
import type { VoteRecord } from '../votes/judge-metadata.ts';
import { panelOutcome } from '../votes/panel.ts';
import { type PairMaterial, pairMaterial } from './pair-material.ts';
import {
  buildPairTool,
  pairCriteria,
  pairDecisionMessages,
  pairIdentity,
  pairMessages,
  pairQuestions,
} from './pair-prompt.ts';
import type { PairwiseOutcome, Preference } from './pairwise-outcome.ts';
import {
  bothOrders,
  majorityPreference,
  type OrderedPreference,
  orderEffect,
  orderedPreference,
  PREFERENCE_SCORE,
  turnedScores,
} from './preference.ts';

/** Two answers to one task, and who compares them. */
export interface PairRequest extends BallotRequest {
  other: Trace;
  against: PairwiseOutcome['against'];
  require: PairwiseOutcome['require'];
}

/** The score above which an answer is preferred. */
const EVEN = 0.5;
/** Of the text of an answer that is kept beside the judgement. */
const LONGEST_ANSWER = 20_000;

/**
 * Compares two answers: each vote is asked for in both orders, and a preference that changes with the order is a tie. The
 * preference of more than half of the votes counts. In the metadata, scores of criteria are turned: 1 prefers the trial's
 * own answer, whatever letter it had.
 */
export async function judgePair(given: PairRequest): Promise<Judgement> {
  const { request, material } = await openPair(given);
  const pairs = material.isSame ? [] : await Promise.all(ballotsOf(request, material).map(castBoth));
  const counted = pairs.flatMap(({ vote, weight }) =>
    vote ? [{ preference: vote.preference, shares: vote.shares, weight }] : [],
  );
  const total = pairs.reduce((sum, { counts }) => sum + counts, 0);
  const readable = pairs.reduce((sum, { vote, counts }) => sum + (vote ? counts : 0), 0);
  const hasQuorum = material.isSame || readable > total / 2;
  const preference = material.refusal === null && hasQuorum ? majorityPreference(counted) : null;
  const [only] = counted;
  const votes = pairs.map(({ judge, orders, vote }) => ({
    judge_model: judge.model,
    own_first: orders[0]?.preference ?? null,
    other_first: orders[1]?.preference ?? null,
    preference: vote?.preference ?? null,
  }));
  return {
    score: preference === null ? null : PREFERENCE_SCORE[preference],
    passed: preference !== null && passes(preference, request.require),
    metadata: {
      ...metadataOf(request, material, pairs, preference),
      pairwise: {
        against: request.against,
        preference,
        require: request.require,
        identical: material.isSame,
        votes,
        order: orderEffect(votes),
        ...(pairs.length === 1 && only?.shares && { shares: only.shares }),
        answers: { own: answerText(request.trace), other: answerText(request.other) },
      },
    },
  };
}

function passes(preference: Preference, require: PairwiseOutcome['require']): boolean {
  return require === 'win' ? preference === 'win' : preference !== 'loss';
}

function answerText({ final_content }: Trace): string {
  return middleCut(final_content ?? '', LONGEST_ANSWER).shown;
}

/** What is asked, and what the judges see. Stages of a cascade are for scores: its last judge, the best one, compares. */
export async function openPair(given: PairRequest): Promise<{ request: PairRequest; material: PairMaterial }> {
  const last = given.cascade?.stages.at(-1);
  const request = {
    ...given,
    cascade: undefined,
    criteria: pairCriteria(given.criteria),
    ...(last && { judges: [last.judge], k: last.k }),
  };
  const textsOnly = request.against.kind === 'reference';
  return { request, material: pairMaterial({ ...request, textsOnly }, await contextLimit(request)) };
}

/** What a judge of pairs is: the key under which its verdicts are compared. */
function pairJudgeHash(judge: JudgeIdentity, models: BallotRequest['models']): string {
  const identity = { ...judge, customPrompt: pairIdentity(judge.customPrompt), threshold: EVEN };
  return judgeHash({ ...identity, criteria: pairCriteria(judge.criteria), aggregation: 'median' }, models);
}

/** One vote, which is asked for in both orders. */
interface PairBallot {
  judge: Judge;
  /** With the trial's answer as A, and with the other one as A. */
  questions: ScoreQuestion[];
  request: Pick<PairRequest, 'criteria'>;
  weight: number;
  counts: number;
}

interface CastPair extends Omit<PairBallot, 'questions'> {
  votes: VoteRecord[];
  orders: (OrderedPreference | null)[];
  /** Null if one of the orders could not be read. */
  vote: OrderedPreference | null;
}

/** The questions of a judgement, for which nobody is asked yet. */
export function ballotsOf(request: PairRequest, { orders }: Pick<PairMaterial, 'orders'>): PairBallot[] {
  const { criteria, customPrompt, models, k } = request;
  const decision = pairQuestions(criteria);
  const question = {
    ...{ models, criteria, customPrompt, tool: buildPairTool(criteria), nonce: (request.newNonce ?? newNonce)() },
    ...{ temperature: request.temperature, maxTokens: request.maxTokens, timeoutSeconds: request.timeoutSeconds },
    ...{ cache: request.cache ?? null, subject: request.subject ?? null, signal: request.signal },
    ...{ seed: request.seed ?? 0, trialNumber: request.trialNumber ?? 1 },
    whenTooLong: 'The judge cannot read that much at once: set a smaller max_context_characters.',
  };
  return votersOf(request).map((judge, index) => {
    const { adapter, model } = judge;
    const decides = judge.mode === 'decide';
    const inText = decides && isWholeAgent(models.providerName(adapter)) ? decision : null;
    const questions = orders.map((part, order): ScoreQuestion => {
      const asked = { ...question, adapter, model, voteNumber: 2 * index + order + 1 };
      const shown = { criteria, customPrompt, part };
      return decides
        ? { ...asked, decision, messagesWith: (nonce) => pairDecisionMessages({ ...shown, nonce }, inText) }
        : { ...asked, messagesWith: (nonce) => pairMessages({ ...shown, nonce }) };
    });
    const counts = decides ? k : 1;
    return { judge, questions, request, counts, weight: judge.weight * counts };
  });
}

async function castBoth({ questions, ...ballot }: PairBallot): Promise<CastPair> {
  const { criteria } = ballot.request;
  const cast = await Promise.all(
    questions.map((question) =>
      castVote({ ...ballot, criteria, voteNumber: question.voteNumber, questions: [question], threshold: EVEN }),
    ),
  );
  const votes = cast.map((vote, order) => turnedVote(vote, order === 0));
  const orders = votes.map(({ scores }) => (scores ? orderedPreference(scores, criteria) : null));
  const [first, second] = orders;
  return { ...ballot, votes, orders, vote: first && second ? bothOrders(first, second) : null };
}

/** The vote, turned towards the trial's own answer. */
function turnedVote(vote: VoteRecord, isOwnFirst: boolean): VoteRecord {
  if (!vote.scores) return { ...vote, own_first: isOwnFirst };
  const scores = isOwnFirst ? vote.scores : turnedScores(vote.scores);
  const score = vote.score === null || isOwnFirst ? vote.score : 1 - vote.score;
  const { probability: _, ...kept } = vote;
  const named = Object.entries(scores).map(([name, each]) => [
    name,
    { ...each, reasoning: `(A is ${isOwnFirst ? 'this answer' : 'the other one'}) ${each.reasoning}` },
  ]);
  return {
    ...kept,
    scores: Object.fromEntries(named),
    score,
    passed: score !== null && score > EVEN,
    own_first: isOwnFirst,
  };
}

const WORDS = { win: 'Preferred to', tie: 'Not told apart from', loss: 'Not preferred to' };

/** The outcome in a sentence, since scores of criteria alone do not tell it. */
function preferenceNote({ against }: PairRequest, preference: Preference, pairs: readonly CastPair[]): string {
  const count = (is: Preference) => pairs.filter(({ vote }) => vote?.preference === is).length;
  const changed = pairs.filter(({ orders: [a, b] }) => a && b && a.preference !== b.preference).length;
  const other = against.kind === 'reference' ? 'the reference' : `the answer of run ${against.run_id}`;
  const votes = `${count('win')} won, ${count('tie')} tied, ${count('loss')} lost`;
  return `${WORDS[preference]} ${other}: ${votes}${changed === 0 ? '' : `; ${changed} changed with the order`}.`;
}

function metadataOf(
  request: PairRequest,
  material: PairMaterial,
  pairs: readonly CastPair[],
  preference: Preference | null,
): Omit<Judgement['metadata'], 'pairwise'> {
  const { criteria, judges } = request;
  const votes = pairs.flatMap((pair) => pair.votes);
  const weights = pairs.flatMap(({ votes: own, weight }) => own.map(() => weight));
  const readable = votes.flatMap(({ scores }, index) => (scores ? [{ scores, weight: weights[index] ?? 1 }] : []));
  const described = describeVotes(
    readable.map(({ scores }) => scores),
    criteria,
    EVEN,
    { passed: preference === 'win', aggregation: 'mean', voteWeights: readable.map(({ weight }) => weight) },
  );
  const notSeen = material.refusal === null ? leftOutNote(material.leftOut) : null;
  return {
    judge_model: judges.map(({ model }) => model).join('+'),
    judge_adapter: judges.map(({ adapter }) => adapter).join('+'),
    judge_k: request.k,
    ...(judges.every(({ mode }) => mode === 'decide') && { judge_mode: 'decide' as const }),
    ...judgeCostFields(sumCosts(votes.map(agentCost))),
    per_criterion: described.perCriterion,
    votes,
    aggregation: 'mean',
    threshold: EVEN,
    dissenting_votes: pairs.filter(({ vote }) => vote && vote.preference !== preference).length,
    saved_calls: 0,
    cached_votes: votes.filter(({ cached }) => cached).length,
    repaired_votes: votes.filter(({ cached, repaired }) => repaired && !cached).length,
    retries: votes.reduce((total, vote) => total + vote.retries, 0),
    notes: [
      ...(preference === null || material.isSame ? [] : [preferenceNote(request, preference, pairs)]),
      ...(material.isSame ? ['The two answers are the same, so no judge was asked.'] : []),
      ...(notSeen === null ? [] : [notSeen]),
    ],
    material: { characters: material.characters, limit: material.limit, parts: Math.min(1, material.orders.length) },
    left_out: material.leftOut,
    ...(material.refusal !== null && { not_asked: material.refusal }),
    judge_hash: pairJudgeHash(request, request.models),
    panel:
      judges.length > 1
        ? panelOutcome({
            ...{ judges, votes, criteria, threshold: EVEN, aggregation: 'mean' },
            voters: pairs.flatMap(({ judge }) => [judge, judge]),
          })
        : null,
  };
}
