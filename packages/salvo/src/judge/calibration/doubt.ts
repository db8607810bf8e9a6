import { mean } from '../../stats/mean.ts';
import type { StoredVotes } from '../stored-votes.ts';

/** The verdict of a judge on a trial. */
interface Verdict {
  passed: boolean;
  score: number;
}

/** How likely a trial passes by what its judge said: the share of its votes that pass. A decision's vote has a probability. */
export function passChance({ passed }: Pick<Verdict, 'passed'>, { votes }: Pick<StoredVotes, 'votes'>): number {
  const readable = votes.flatMap((vote) => (vote.passed === null ? [] : [vote.probability ?? Number(vote.passed)]));
  return Math.min(1, Math.max(0, mean(readable) ?? Number(passed)));
}

/** No judge is taken to be more certain than this: votes that all agree are wrong together now and then. */
const SUREST = 41 / 42;

/** A score that is farther than this from the threshold is not close to it. */
const NEAR = 0.2;

/**
 * From 0 to 1: how much a label of the trial would tell. It is the standard deviation of what people would say, if they
 * pass the trial with the chance that the judge gives it: largest where judges disagree, or the share of votes or the
 * probability is near one half. If all votes agree, a score close to the threshold counts half as much.
 */
export function doubtOf(found: Verdict, judged: StoredVotes): number {
  const chance = passChance(found, judged);
  const ofJudges = mean(judged.panel?.judges.flatMap(({ passed }) => (passed === null ? [] : [Number(passed)])) ?? []);
  const isUnanimous = chance === 0 || chance === 1;
  const nearness = isUnanimous ? Math.max(0, 1 - Math.abs(found.score - judged.threshold) / NEAR) : 0;
  return Math.max(doubtOfChance(chance, nearness / 2), ofJudges === null ? 0 : doubtOfChance(ofJudges));
}

/** `towardsHalf`: by how much of the way it is moved to one half. */
export function doubtOfChance(chance: number, towardsHalf = 0): number {
  const possible = 0.5 + (chance - 0.5) * (2 * SUREST - 1) * (1 - towardsHalf);
  return 2 * Math.sqrt(possible * (1 - possible));
}
