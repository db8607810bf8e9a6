import { buildScoringTool } from '../../judge/prompt/prompt.ts';
import { type Ballot, castVote } from '../../judge/votes/cast-vote.ts';
import type { VoteRecord } from '../../judge/votes/vote.ts';
import { newNonce } from '../../models/fence.ts';
import { createLimiter } from '../../models/limiter.ts';
import type { ModelCaller } from '../../models/model-caller.ts';
import type { Candidate } from '../candidates/candidate-list.ts';
import type { Claim } from '../claims/claim.ts';
import type { ModelDecision } from '../results/score-results.ts';
import { consensusOf, opinionOf } from './consensus.ts';
import type { Llm, ModelChoice } from './llm-options.ts';
import { SAME_FLAW, sameFlawMessages } from './same-flaw-messages.ts';

export interface DecidedPair {
  pair: Candidate;
  /** Null: undecided. */
  same: boolean | null;
  opinions: ModelDecision['opinions'];
  votes: VoteRecord[];
}

/** At once, whatever limits an adapter has of its own. */
const MOST_VOTES = 8;
const MOST_PAIRS = 4;
/** After so many pairs in a row about which no call was answered the provider is taken for dead. */
const GIVE_UP_AFTER = 8;

/**
 * Asks every model about every pair, k times, by the rubric judge's votes: fenced, cached, repaired and priced. A call
 * that fails costs its vote and nothing else; when nothing is answered any more, the rest is left undecided without
 * waiting for it. Rejects when `signal` is aborted.
 */
export async function decidePairs(question: {
  pairs: readonly Candidate[];
  vulnerabilities: readonly Claim[];
  findings: readonly Claim[];
  llm: Llm;
  caller: ModelCaller;
  signal?: AbortSignal | undefined;
}): Promise<DecidedPair[]> {
  const { pairs, vulnerabilities, findings, llm, signal } = question;
  const votesLimiter = createLimiter({ max_concurrency: MOST_VOTES });
  const pairsLimiter = createLimiter({ max_concurrency: MOST_PAIRS });
  let unanswered = 0;
  const decide = async (pair: Candidate): Promise<DecidedPair> => {
    if (unanswered >= GIVE_UP_AFTER) return notAsked(pair, llm.models);
    const [vulnerability, finding] = [vulnerabilities[pair.vulnerability], findings[pair.finding]];
    if (!vulnerability || !finding) throw new RangeError('the pair is not of these vulnerabilities and findings');
    const ballotsOf = ballotBox({ ...question, vulnerability, finding });
    const byModel = await Promise.all(
      llm.models.map((model) =>
        Promise.all(ballotsOf(model).map((ballot) => votesLimiter.run(() => castVote(ballot), signal))),
      ),
    );
    const votes = byModel.flat();
    unanswered = votes.some(({ scores, raw_text }) => scores !== null || raw_text !== null) ? 0 : unanswered + 1;
    const opinions = llm.models.map(({ adapter, model }, index) => {
      return { adapter, model, ...opinionOf(byModel[index] ?? []) };
    });
    return { pair, same: consensusOf(opinions), opinions, votes };
  };
  const decided = pairs.map((pair) => pairsLimiter.run(() => decide(pair), signal));
  // All of them have to end before the caller may be closed.
  await Promise.allSettled(decided);
  signal?.throwIfAborted();
  return Promise.all(decided);
}

function notAsked(pair: Candidate, models: readonly ModelChoice[]): DecidedPair {
  const error = `not asked: no call about the ${GIVE_UP_AFTER} pairs before was answered`;
  const opinions = models.map(({ adapter, model }) => {
    return { adapter, model, same: null, votes: 0, reasoning: '', error };
  });
  return { pair, same: null, opinions, votes: [] };
}

const TOOL = buildScoringTool([SAME_FLAW]);

function ballotBox(question: {
  vulnerability: Claim;
  finding: Claim;
  llm: Llm;
  caller: ModelCaller;
  signal?: AbortSignal | undefined;
}): (model: ModelChoice) => Ballot[] {
  const { vulnerability, finding, llm, caller, signal } = question;
  const nonce = newNonce();
  return ({ adapter, model }) =>
    Array.from({ length: llm.k }, (_, index) => ({
      judge: { adapter, model, weight: 1 },
      voteNumber: index + 1,
      criteria: [SAME_FLAW],
      tool: TOOL,
      threshold: 0.5,
      temperature: llm.temperature,
      maxTokens: llm.maxTokens,
      messagesWith: (code) => sameFlawMessages({ vulnerability, finding, nonce: code }),
      nonce,
      models: caller,
      cache: llm.cache,
      seed: 0,
      trialNumber: 1,
      signal,
    }));
}
