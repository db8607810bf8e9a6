import { clusterIntervals, DIFFERENCE } from '../../../stats/intervals/cluster-intervals.ts';
import { mean } from '../../../stats/mean.ts';

/** What a judge said of an anchor then, in one or more votes, and what it says now, in one. */
export interface AnchorScores {
  earlier: readonly number[];
  now: number;
}

export interface DriftTest {
  /** How likely the new votes are at least as unlike the earlier ones if nothing has changed. */
  p: number;
  /** The mean of now minus then, with a 95% interval over anchors; null with a single anchor. */
  shift: number;
  interval: [number, number] | null;
  /** The mean size of the differences, whichever way they go. */
  change: number;
}

const DRAWS = 1_999;
const SAME = 1e-9;

/**
 * Tests whether new votes are like the earlier votes on the same anchors. If nothing has changed, each of the votes on an
 * anchor could as well be the new one: the test draws which one it is. It looks for a shift of all scores, which has most
 * power if the judge became more lenient or stricter, and for differences that go either way, whichever is larger.
 * Needs at least one anchor.
 */
export function driftTest(anchors: readonly AnchorScores[], random: () => number): DriftTest {
  // By anchor, how far each vote is from the mean of the others. The new one is the first.
  const distances = anchors.map(({ earlier, now }) => distancesOf([now, ...earlier]));
  const observed = distances.map((each) => each[0] ?? 0);
  const moments = (of: (distance: number) => number) => {
    const all = distances.map((each) => each.map(of));
    const centres = all.map((each) => mean(each) ?? 0);
    const variances = all.map((each, index) => mean(each.map((value) => (value - (centres[index] ?? 0)) ** 2)) ?? 0);
    return { centre: sum(centres), deviation: Math.sqrt(sum(variances)) };
  };
  const shift = moments((distance) => distance);
  const size = moments(Math.abs);
  /** `choose`: which of the votes on an anchor is the new one. */
  const unlikeness = (choose: (votes: number) => number): number => {
    let [shifted, sized] = [0, 0];
    for (const each of distances) {
      const distance = each[choose(each.length)] ?? 0;
      shifted += distance;
      sized += Math.abs(distance);
    }
    return Math.max(
      standardized(Math.abs(shifted - shift.centre), shift.deviation),
      standardized(sized - size.centre, size.deviation),
    );
  };
  const limit = unlikeness(() => 0) - SAME;
  let extreme = 1;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    if (unlikeness((votes) => Math.floor(random() * votes)) >= limit) extreme += 1;
  }
  const meanOf = (kept: readonly number[]) => mean(kept) ?? Number.NaN;
  const [interval = null] =
    clusterIntervals({ clusters: observed, metrics: (kept) => [meanOf(kept)], ranges: [DIFFERENCE], random }) ?? [];
  return {
    p: extreme / (DRAWS + 1),
    shift: meanOf(observed),
    interval,
    change: meanOf(observed.map(Math.abs)),
  };
}

/** The smallest p value that so many anchors can have. Two votes on each only tell a shift of all of them. */
export function smallestP(anchors: readonly AnchorScores[]): number {
  const ways = anchors.reduce((all, { earlier }) => all * (earlier.length + 1), 1);
  return (anchors.every(({ earlier }) => earlier.length === 1) ? 2 : 1) / ways;
}

function distancesOf(votes: readonly number[]): number[] {
  const total = sum(votes);
  return votes.map((vote) => vote - (total - vote) / (votes.length - 1));
}

function standardized(value: number, deviation: number): number {
  return deviation < SAME ? 0 : value / deviation;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
