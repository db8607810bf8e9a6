import { describe, expect, it } from 'vitest';
import type { StoredVotes } from '../stored-votes.ts';
import { doubtOf, passChance } from './doubt.ts';

type Vote = StoredVotes['votes'][number];

const vote = (passed: boolean | null, more: Partial<Vote> = {}): Vote => ({
  ...{ scores: null, raw_text: null, error: null, passed, ...more },
});

function votes(cast: Vote[], more: Partial<StoredVotes> = {}): StoredVotes {
  return {
    ...{ judge_hash: 'hash', judge_adapter: 'a', judge_model: 'm', judge_k: cast.length, threshold: 0.5 },
    ...{ per_criterion: [], votes: cast, dissenting_votes: 0, panel: null, ...more },
  };
}

const sure = { passed: true, score: 1 };

describe('passChance', () => {
  it('is the share of the votes that pass, and of a decision its probability', () => {
    expect(passChance(sure, votes([vote(true), vote(true), vote(false), vote(null)]))).toBeCloseTo(2 / 3);
    expect(passChance(sure, votes([vote(true, { probability: 0.8 })]))).toBe(0.8);
    expect(passChance(sure, votes([vote(null)]))).toBe(1);
  });
});

describe('doubtOf', () => {
  const all = votes([vote(true), vote(true), vote(true)]);
  const most = votes([vote(true), vote(true), vote(false)]);

  it('is larger the more votes differ, and never 0', () => {
    expect(doubtOf(sure, all)).toBeCloseTo(0.305, 2);
    expect(doubtOf(sure, most)).toBeGreaterThan(0.9);
    expect(doubtOf({ passed: false, score: 0 }, votes([vote(false)]))).toBeCloseTo(doubtOf(sure, all));
  });

  it('is largest for a decision whose probability is one half', () => {
    const doubts = [0.5, 0.6, 0.9, 0.99].map((probability) => doubtOf(sure, votes([vote(true, { probability })])));
    expect(doubts[0]).toBe(1);
    expect(doubts).toEqual(doubts.toSorted((a, b) => b - a));
  });

  it('is larger for a score close to the threshold if all votes agree, but not as large as if votes differ', () => {
    const near = doubtOf({ passed: true, score: 0.52 }, all);
    expect(near).toBeGreaterThan(2 * doubtOf(sure, all));
    expect(near).toBeLessThan(doubtOf(sure, most));
  });

  it('is largest if the judges of a panel disagree, however many votes each has', () => {
    const judges = [true, false].map((passed) => ({ judge_model: 'm', passed }));
    const cast = [...Array.from({ length: 9 }, () => vote(true)), vote(false)];
    expect(doubtOf(sure, votes(cast, { panel: { judges } }))).toBe(1);
  });
});
