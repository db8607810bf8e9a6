import { expect, test } from 'vitest';
import { EVIDENCE_THRESHOLD } from '../../judge-agent-options.ts';
import type { Content } from './content.ts';
import { ENOUGH, type Evidence, weigh } from './weigh.ts';

const ALIKE: Content['ofFinding'] = {
  share: 0.7,
  literal: 0.6,
  rarest: 0.3,
  wordsPresent: 3,
  wordsMissing: -0.3,
  conceptsPresent: 4,
  conceptsMissing: 0,
  mass: -3,
};
const UNLIKE: Content['ofFinding'] = {
  ...ALIKE,
  share: 0,
  literal: 0,
  rarest: 1,
  wordsPresent: 0,
  wordsMissing: -3,
  conceptsPresent: 0,
};

function evidence(content: Partial<Content> = {}, rest: Partial<Omit<Evidence, 'content'>> = {}): Evidence {
  return {
    content: {
      aspect: 1,
      object: 1,
      aspectCover: 1,
      aspectSides: 2,
      sharedDetails: 0,
      loneDetails: 0,
      detailsDiffer: false,
      deciding: 'agree',
      numbers: 'not_compared',
      saysHeadline: false,
      substance: true,
      ofVulnerability: ALIKE,
      ofFinding: ALIKE,
      weaknesses: 0.7,
      oneWeakness: 0.5,
      otherWeaknesses: 0,
      fewestWords: 6,
      hasName: false,
      ...content,
    },
    place: 'unknown',
    rules: 'unknown',
    contradiction: false,
    isAlone: false,
    isKeyOfEncryption: false,
    ...rest,
  };
}

const NOTHING = { substance: false, ofVulnerability: UNLIKE, ofFinding: UNLIKE, weaknesses: 0, oneWeakness: 0 };

test('agreement on content is a match, and agreement on the place makes it better', () => {
  const alone = weigh(evidence()).score;
  const part = weigh(evidence({}, { place: 'part' })).score;
  expect(alone).toBeGreaterThan(0.7);
  expect(part).toBeGreaterThan(alone);
  expect(weigh(evidence({}, { place: 'same' })).score).toBeGreaterThan(part);
});

test.each([
  ['flaw', evidence({ aspect: 0.1 })],
  ['thing', evidence({ object: 0.1 })],
  ['details', evidence({ detailsDiffer: true })],
  ['substance', evidence({ substance: false, ofVulnerability: { ...ALIKE, literal: 0.5 } })],
  ['related', evidence({ aspect: 0.4 })],
  ['place', evidence({}, { place: 'other' })],
  ['praise', evidence({}, { contradiction: true })],
] as const)('a difference (%s) keeps the score below a match', (limit, given) => {
  const weighed = weigh(given);
  expect(weighed.limit).toBe(limit);
  expect(weighed.score).toBeLessThan(0.4);
  expect(weighed.taken).toBeCloseTo(weighed.score - weighed.learned);
});

test('related flaws are not the same, even of one resource, unless both are near one weakness', () => {
  expect(weigh(evidence({ aspect: 0.4, oneWeakness: 0.4 }, { place: 'same' })).score).toBeLessThan(0.4);
  expect(weigh(evidence({ aspect: 0.4, oneWeakness: 0.6 }, { place: 'same' })).limit).toBeNull();
  expect(weigh(evidence({ aspect: 0.4, oneWeakness: 0.6 }, { place: 'near' })).limit).toBe('related');
});

test('nearly the same words outweigh different headings', () => {
  const same = { ...ALIKE, share: 1, literal: 0.95, rarest: 0.1, wordsMissing: 0 };
  expect(weigh(evidence({ aspect: 0, ofVulnerability: same, ofFinding: same })).limit).toBeNull();
  expect(weigh(evidence({ substance: false, ofVulnerability: same, ofFinding: same })).limit).toBeNull();
  const nameOfThing = evidence({ substance: false, ofVulnerability: same, ofFinding: same, fewestWords: 2 });
  expect(weigh(nameOfThing).limit).toBe('substance');
});

test('a name needs less in common than a sentence', () => {
  const partly = { ...ALIKE, share: 0.6, wordsMissing: -1 };
  const score = (hasName: boolean) => weigh(evidence({ ofVulnerability: partly, ofFinding: partly, hasName })).score;
  expect(score(true)).toBeGreaterThan(score(false));
});

test('a telling word that only one side has costs', () => {
  const withRest = { ...ALIKE, share: 0.5, rarest: 1, wordsMissing: -1.5 };
  expect(weigh(evidence({ ofFinding: withRest })).score).toBeLessThan(weigh(evidence()).score);
});

test('two claims that are surely about one weakness match in whatever words, but not at another place or by their rules', () => {
  const sure = { ...NOTHING, aspect: 0, oneWeakness: 0.98 };
  expect(weigh(evidence(sure)).score).toBeCloseTo(0.6);
  expect(weigh(evidence(sure)).weakness).toBeGreaterThan(0);
  expect(weigh(evidence({ ...sure, oneWeakness: 0.8 })).score).toBeLessThan(0.4);
  expect(weigh(evidence(sure, { place: 'other' })).score).toBeLessThan(0.4);
  expect(weigh(evidence(sure, { rules: 'different' })).score).toBeLessThan(0.4);
});

test('different flaws of one resource may be one weakness', () => {
  const near = evidence({ aspect: 0.1, oneWeakness: 0.8 });
  expect(weigh({ ...near, place: 'same' }).limit).toBeNull();
  expect(weigh({ ...near, place: 'near' }).limit).toBe('flaw');
});

test('what is at the same resource is about the same thing, whatever it calls it', () => {
  expect(weigh(evidence({ object: 0.1 }, { place: 'same' })).limit).toBeNull();
  expect(weigh(evidence({ object: 0.1 }, { place: 'part' })).limit).toBeNull();
  expect(weigh(evidence({ object: 0.1 }, { place: 'near' })).limit).toBe('thing');
});

test('a headline in words of its own, which the other repeats, is not read as another flaw of the resource', () => {
  const repeated = evidence({ aspect: 0.1, saysHeadline: true });
  expect(weigh({ ...repeated, place: 'same' }).limit).toBeNull();
  expect(weigh({ ...repeated, place: 'near' }).limit).toBe('flaw');
});

test('the place alone is no evidence', () => {
  expect(weigh(evidence(NOTHING, { place: 'same' })).score).toBe(0);
});

test('rules of one weakness are a match whatever the words, but not at another place', () => {
  expect(weigh(evidence({ ...NOTHING, aspect: 0 }, { rules: 'same' })).score).toBeCloseTo(0.8);
  expect(weigh(evidence({}, { rules: 'same', place: 'other' })).score).toBeLessThan(0.4);
});

test('rules of different weaknesses reduce the score, less so when words and place agree', () => {
  const taken = (given: Partial<Evidence>) => {
    const { score, learned } = weigh({ ...evidence(), ...given, rules: 'different' });
    return learned - score;
  };
  expect(taken({})).toBeGreaterThan(0.05);
  expect(taken({ place: 'same' })).toBeLessThan(taken({}));
});

test('a score of a match is what the judge takes for one', () => {
  expect(ENOUGH).toBe(EVIDENCE_THRESHOLD);
});

test('a detail that decides keeps the score below a match; one that the code settles does not at one resource', () => {
  expect(weigh(evidence({ deciding: 'differ' }, { place: 'same' })).limit).toBe('details');
  expect(weigh(evidence({ deciding: 'differ_unless_one_place' })).limit).toBe('details');
  expect(weigh(evidence({ deciding: 'differ_unless_one_place' }, { place: 'same' })).limit).toBeNull();
  expect(weigh(evidence({ deciding: 'differ' }, { rules: 'same' })).limit).toBeNull();
});

test('a rule that names a part of the weakness is just enough, whatever the words', () => {
  expect(weigh(evidence(NOTHING, { rules: 'in_part', place: 'part' })).score).toBeCloseTo(0.6);
  expect(weigh(evidence(NOTHING, { rules: 'in_part', place: 'other' })).score).toBeLessThan(0.4);
});
