import type { ToolDefinition } from '../../adapters/adapter.ts';
import { newNonce } from '../../models/fence.ts';
import type { Message } from '../../trace/message.ts';
import { ballotsOf, type JudgeRequest, quorumOf } from '../judge-trace.ts';
import { type Ballot, ballotKey, isVoteOn, type Judge } from './cast-vote.ts';
import { nextWave } from './early-stop.ts';

/** One judge's part in a judgement that was not made yet. */
export interface VoteForecast {
  judge: Judge;
  provider: string;
  /** Votes that would have to be bought: with `early_stop`, if the first ones agree; and at the most. */
  calls: { fewest: number; most: number };
  /** Votes that were paid for before. */
  cached: number;
  /** Of one call, by the length of its prompt. */
  inputTokens: number;
}

const CHARACTERS_PER_TOKEN = 4;

/** Which votes a judgement would take. Nobody is called. An unreadable answer would take one call more. */
export async function forecastVotes(request: JudgeRequest): Promise<VoteForecast[]> {
  const ballots = ballotsOf(request);
  const firstWave = request.earlyStop ? fewestVotes(ballots) : ballots.length;
  const forecasts = request.judges.map((judge) => ({
    judge,
    provider: request.models.providerName(judge.adapter),
    calls: { fewest: 0, most: 0 },
    cached: 0,
    inputTokens: 0,
  }));
  const [first] = ballots;
  // The judges of a panel are asked the same, but for the fence.
  const inputTokens = first ? promptTokens(first.messagesWith(newNonce()), first.tool) : 0;
  for (const [index, ballot] of ballots.entries()) {
    const forecast = forecasts[index % forecasts.length];
    if (!forecast) continue;
    forecast.inputTokens = inputTokens;
    if (await isCached(ballot, forecast.provider)) {
      forecast.cached += 1;
      continue;
    }
    forecast.calls.most += 1;
    if (index < firstWave) forecast.calls.fewest += 1;
  }
  return forecasts;
}

function fewestVotes(ballots: readonly Ballot[]): number {
  const judges = ballots.map(({ judge }) => judge);
  const open = judges.reduce((total, { weight }) => total + weight, 0);
  const tally = { passed: 0, failed: 0, open, openVotes: judges.length, quorum: quorumOf(ballots), readable: 0 };
  return nextWave(tally, judges);
}

async function isCached(ballot: Ballot, provider: string): Promise<boolean> {
  // Without a fingerprint nobody knows whether the same judge would answer.
  if (!ballot.cache || ballot.models.fingerprint(ballot.judge.adapter) === null) return false;
  const known = await ballot.cache.get(ballotKey(ballot, provider));
  return known !== null && isVoteOn(known, ballot.criteria);
}

function promptTokens(messages: readonly Message[], tool: ToolDefinition): number {
  const characters = messages.reduce(
    (total, { content }) => total + (content?.length ?? 0),
    JSON.stringify(tool).length,
  );
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
