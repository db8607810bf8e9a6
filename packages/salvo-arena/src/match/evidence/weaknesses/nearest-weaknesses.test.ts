import { expect, test } from 'vitest';
import { countWeaknesses } from '../../../../../../scripts/matcher/count-weaknesses.ts';
import { readClaim } from '../../claims/read-claim.ts';
import { loadLexicon } from '../lexicon/lexicon.ts';
import { profileOf } from '../reading/profile.ts';
import { SAME_WEAKNESS } from '../weighing/weigh.ts';
import { compareWeaknesses, createNearestWeaknesses, type LikelyWeaknesses } from './nearest-weaknesses.ts';

const weakness = (id: string, ...sentences: string[]) => ({
  id,
  service: 'aws:frob',
  sentences: sentences.map((sentence) => new Set(sentence.split(' '))),
});
const nearest = createNearestWeaknesses({
  ...countWeaknesses([
    weakness('frob-no-scheduler-logs', 'frob scheduler logs off', 'frob no scheduler logging'),
    weakness('frob-no-worker-logs', 'frob worker logs off', 'frob no worker logging'),
    weakness('frob-no-logs', 'frob logs off', 'frob logging missing'),
    weakness('frob-public', 'frob public', 'frob open to internet', 'frob public and open on internet'),
  ]),
  part_of: [
    [0, 2],
    [1, 2],
  ],
});

function likely(text: string, below = ''): LikelyWeaknesses {
  const words = text.split(' ').map((word) => ({ text: word, synonyms: [] }));
  return nearest.likely(nearest.scoresOf(nearest.weightsOf({ words, concepts: [], below: below.split(' ') })));
}

const weaknessesInCommon = (a: LikelyWeaknesses, b: LikelyWeaknesses) => compareWeaknesses(a, b).weaknesses;

test('texts in different words are alike if they are near the same weakness, and not if near different ones', () => {
  expect(weaknessesInCommon(likely('scheduler off'), likely('scheduler no'))).toBeGreaterThan(SAME_WEAKNESS);
  expect(weaknessesInCommon(likely('frob public'), likely('internet open'))).toBeGreaterThan(SAME_WEAKNESS);
  expect(weaknessesInCommon(likely('scheduler logs'), likely('worker logs'))).toBeLessThan(0.5);
  const { weaknesses, otherWeaknesses } = compareWeaknesses(likely('frob public'), likely('worker logging'));
  expect(weaknesses).toBeLessThan(0.1);
  expect(otherWeaknesses).toBeGreaterThan(0.5);
});

test.each([
  ['Redshift cluster logging disabled', 'redshift-no-logging'],
  ['MSK broker logs are off', 'msk-no-logging'],
  ['S3 bucket without versions', 's3-bucket-no-versioning'],
])('the rare name of a service does not outweigh what is wrong with it: %s', (title, weakness) => {
  const lexicon = loadLexicon();
  const { likely: nearestToText } = profileOf(lexicon, readClaim({ title }));
  const [first] = [...nearestToText.roots].toSorted(([, a], [, b]) => b - a);
  expect(lexicon.weaknesses.ids[first?.[0] ?? -1]).toBe(weakness);
});

test.each([
  ['aws_ecr_repository_policy.this', 'ecr-public'],
  ['azurerm_container_registry.this', 'azure-acr-public'],
])('the type of the resource says which cloud it is: %s', (resource, weakness) => {
  const lexicon = loadLexicon();
  const { likely: nearestToText } = profileOf(lexicon, readClaim({ title: 'World-writable registry', resource }));
  const [first] = [...nearestToText.roots].toSorted(([, a], [, b]) => b - a);
  expect(lexicon.weaknesses.ids[first?.[0] ?? -1]).toBe(weakness);
});

test('a weakness counts as its whole, and not as another part of it', () => {
  const [scheduler, worker, all] = [likely('scheduler logs off'), likely('worker logs off'), likely('logging missing')];
  expect(weaknessesInCommon(scheduler, all)).toBeGreaterThan(weaknessesInCommon(scheduler, worker));
  expect(weaknessesInCommon(all, scheduler)).toBe(weaknessesInCommon(scheduler, all));
});

test('the probabilities add up to that of a known weakness; a text of unknown words is near nothing', () => {
  const { roots, known } = likely('frob logs');
  expect([...roots.values()].reduce((sum, root) => sum + root * root, 0)).toBeCloseTo(known);
  expect(known).toBeLessThan(1);
  expect(likely('quux')).toEqual({ roots: new Map(), wider: new Map(), known: 0 });
  expect(compareWeaknesses(likely('quux'), likely('quux'))).toEqual({
    weaknesses: 0,
    otherWeaknesses: 0,
    oneWeakness: 0,
  });
});

test('two vague texts share many weaknesses, and no single one', () => {
  const vague = compareWeaknesses(likely('frob'), likely('frob'));
  expect(vague.oneWeakness).toBeLessThan(vague.weaknesses / 2);
  const precise = compareWeaknesses(likely('frob public'), likely('frob public'));
  expect(precise.oneWeakness).toBeGreaterThan(precise.weaknesses * 0.9);
});

test('words below the headline count less than words in it', () => {
  const scheduler = likely('scheduler');
  const inHeadline = weaknessesInCommon(likely('public scheduler'), scheduler);
  expect(weaknessesInCommon(likely('public', 'scheduler'), scheduler)).toBeLessThan(inHeadline);
});
