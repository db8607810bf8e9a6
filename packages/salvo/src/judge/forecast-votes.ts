import { newNonce } from '../models/ask/fence.ts';
import { isCached, type ScoreQuestion } from '../models/scoring/ask-for-scores.ts';
import { remembered } from '../text/memo.ts';
import { electionOf, type JudgeRequest, materialOf, openVote } from './judge-trace.ts';
import type { PairRequest } from './pairwise/judge-pair.ts';
import { type Ballot, ballotsFor, type Judge, quorumOf } from './votes/cast-vote.ts';
import { nextWave } from './votes/early-stop.ts';

/** What one judge would contribute to a judgement. */
export interface VoteForecast {
  judge: Judge;
  provider: string;
  /** Calls that would have to be paid for, if none is repaired: with `early_stop`, if the first votes agree; and at the most. */
  calls: { fewest: number; most: number };
  /** Answers that are in the cache. */
  cached: number;
  /** Of one call, by the length of its prompt: the mean, because the parts of a long trial differ in length. */
  inputTokens: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** The votes that a judgement would take. Calls no model. An unreadable answer would take one call more. */
export async function forecastVotes(request: JudgeRequest): Promise<VoteForecast[]> {
  const { cascade } = request;
  if (cascade) {
    const stages = cascade.stages.map(({ judge, k, sure }) =>
      forecastVotes({
        ...request,
        cascade: undefined,
        judges: [judge],
        k,
        earlyStop: sure === null && request.earlyStop,
      }),
    );
    // If the first stage is sure, no other is asked.
    return (await Promise.all(stages)).flatMap((forecasts, stage) =>
      forecasts.map((each) => (stage === 0 ? each : { ...each, calls: { ...each.calls, fewest: 0 } })),
    );
  }
  const material = await materialOf(request);
  const ballots = material.refusal === null ? ballotsFor(request, material) : [];
  return forecastBallots(request, ballots, request.earlyStop ? fewestVotes(request, ballots) : ballots.length);
}

/** The same for a judgement of two answers, each vote in both orders. */
export async function forecastPair(request: PairRequest): Promise<VoteForecast[]> {
  const { ballotsOf, openPair } = await import('./pairwise/judge-pair.ts');
  const pair = await openPair(request);
  const ballots = ballotsOf(pair.request, pair.material);
  return forecastBallots(pair.request, ballots, ballots.length);
}

async function forecastBallots(
  request: Pick<JudgeRequest, 'judges' | 'models'>,
  ballots: readonly Pick<Ballot, 'judge' | 'questions'>[],
  firstWave: number,
): Promise<VoteForecast[]> {
  const forecasts = request.judges.map((judge) => ({
    judge,
    provider: request.models.providerName(judge.adapter),
    calls: { fewest: 0, most: 0 },
    cached: 0,
    tokens: 0,
  }));
  // All votes of a judge have the same prompts, except for the nonce.
  const tokens = new Map<Judge, number[]>();
  for (const [index, ballot] of ballots.entries()) {
    const forecast = forecasts.find(({ judge }) => judge === ballot.judge);
    if (!forecast) continue;
    for (const [part, question] of ballot.questions.entries()) {
      if (await isCached(question)) {
        forecast.cached += 1;
        continue;
      }
      forecast.calls.most += 1;
      forecast.tokens += remembered(tokens, ballot.judge, () => ballot.questions.map(promptTokens))[part] ?? 0;
      if (index < firstWave) forecast.calls.fewest += 1;
    }
  }
  return forecasts.map(({ tokens: total, ...forecast }) => ({
    ...forecast,
    inputTokens: forecast.calls.most === 0 ? 0 : total / forecast.calls.most,
  }));
}

function fewestVotes(request: JudgeRequest, ballots: readonly Ballot[]): number {
  const openVotes = ballots.map(openVote);
  return nextWave(electionOf(request, quorumOf(ballots)), [], openVotes);
}

function promptTokens({ messagesWith, tool, decision }: ScoreQuestion): number {
  const asked = decision?.map(({ question }) => question) ?? tool;
  const characters = messagesWith(newNonce()).reduce(
    (total, { content }) => total + (content?.length ?? 0),
    JSON.stringify(asked).length,
  );
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
