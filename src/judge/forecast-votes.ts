import type { ToolDefinition } from '../adapters/adapter.ts';
import { newNonce } from '../models/ask/fence.ts';
import { isCached } from '../models/scoring/ask-for-scores.ts';
import type { Message } from '../trace/message.ts';
import { electionOf, type JudgeRequest } from './judge-trace.ts';
import { type Ballot, ballotsFor, type Judge, quorumOf } from './votes/cast-vote.ts';
import { nextWave } from './votes/early-stop.ts';

/** What one judge would contribute to a judgement. */
export interface VoteForecast {
  judge: Judge;
  provider: string;
  /** Votes that would have to be paid for: with `early_stop`, if the first ones agree; and at the most. */
  calls: { fewest: number; most: number };
  /** Votes that are in the cache. */
  cached: number;
  /** Of one call, by the length of its prompt. */
  inputTokens: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** The votes that a judgement would take. Calls no model. An unreadable answer would take one call more. */
export async function forecastVotes(request: JudgeRequest): Promise<VoteForecast[]> {
  const ballots = ballotsFor(request);
  const firstWave = request.earlyStop ? fewestVotes(request, ballots) : ballots.length;
  const forecasts = request.judges.map((judge) => ({
    judge,
    provider: request.models.providerName(judge.adapter),
    calls: { fewest: 0, most: 0 },
    cached: 0,
    inputTokens: 0,
  }));
  const [first] = ballots;
  // The judges of a panel get the same prompt, except for the nonce.
  const inputTokens = first ? promptTokens(first.question.messagesWith(newNonce()), first.question.tool) : 0;
  for (const [index, ballot] of ballots.entries()) {
    const forecast = forecasts[index % forecasts.length];
    if (!forecast) continue;
    forecast.inputTokens = inputTokens;
    if (await isCached(ballot.question)) {
      forecast.cached += 1;
      continue;
    }
    forecast.calls.most += 1;
    if (index < firstWave) forecast.calls.fewest += 1;
  }
  return forecasts;
}

function fewestVotes(request: JudgeRequest, ballots: readonly Ballot[]): number {
  const openVotes = ballots.map(({ judge }) => judge);
  return nextWave(electionOf(request, quorumOf(ballots)), [], openVotes);
}

function promptTokens(messages: readonly Message[], tool: ToolDefinition): number {
  const characters = messages.reduce(
    (total, { content }) => total + (content?.length ?? 0),
    JSON.stringify(tool).length,
  );
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
