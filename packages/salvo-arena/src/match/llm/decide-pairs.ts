import {
  askForScores,
  buildScoringTool,
  createLimiter,
  type ModelCaller,
  newNonce,
  type ScoreAnswer,
} from 'salvo/kit/models';
import type { Candidate } from '../candidates/candidate-list.ts';
import { claimAt } from '../candidates/matcher.ts';
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
  votes: ScoreAnswer[];
}

const TOOL = buildScoringTool([SAME_FLAW]);

/** The most at once, whatever limits an adapter has. */
const MOST_VOTES = 8;
const MOST_PAIRS = 4;
/** After so many pairs in a row without any answer, no further pair is asked about. */
const GIVE_UP_AFTER = 8;

/**
 * Asks every model about every pair, k times. A call that fails only loses its vote; when no call is answered any more,
 * the other pairs are left undecided without waiting for the provider. Rejects when `signal` is aborted.
 */
export async function decidePairs(question: {
  pairs: readonly Candidate[];
  vulnerabilities: readonly Claim[];
  findings: readonly Claim[];
  llm: Llm;
  caller: ModelCaller;
  signal?: AbortSignal | undefined;
}): Promise<DecidedPair[]> {
  const { pairs, vulnerabilities, findings, llm, caller, signal } = question;
  const votesLimiter = createLimiter({ max_concurrency: MOST_VOTES });
  const pairsLimiter = createLimiter({ max_concurrency: MOST_PAIRS });
  let unanswered = 0;
  const decide = async (pair: Candidate): Promise<DecidedPair> => {
    if (unanswered >= GIVE_UP_AFTER) return notAsked(pair, llm.models);
    const claims = {
      vulnerability: claimAt(vulnerabilities, pair.vulnerability),
      finding: claimAt(findings, pair.finding),
    };
    const common = {
      models: caller,
      temperature: llm.temperature,
      maxTokens: llm.maxTokens,
      criteria: [SAME_FLAW],
      tool: TOOL,
      messagesWith: (nonce: string) => sameFlawMessages({ ...claims, nonce }),
      nonce: newNonce(),
      cache: llm.cache,
      // The two texts are all that is judged: no rate is estimated from repeated decisions on the same pair.
      subject: 'pair',
      seed: 0,
      trialNumber: 1,
      signal,
    };
    const castVotes = ({ adapter, model }: ModelChoice) =>
      Promise.all(
        Array.from({ length: llm.k }, (_, index) =>
          votesLimiter.run(() => askForScores({ ...common, adapter, model, voteNumber: index + 1 }), signal),
        ),
      );
    const byModel = await Promise.all(llm.models.map(castVotes));
    const votes = byModel.flat();
    unanswered = votes.some(({ scores, raw_text }) => scores !== null || raw_text !== null) ? 0 : unanswered + 1;
    const opinions = llm.models.map(({ adapter, model }, index) => {
      return { adapter, model, ...opinionOf(byModel[index] ?? []) };
    });
    return { pair, same: consensusOf(opinions), opinions, votes };
  };
  const decided = pairs.map((pair) => pairsLimiter.run(() => decide(pair), signal));
  // The caller may be closed only after all of them have ended.
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
