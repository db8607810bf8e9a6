import { expect, test } from 'vitest';
import { countSynonyms } from '../../scripts/matcher/count-synonyms.ts';
import { countWords } from '../../scripts/matcher/count-words.ts';
import { fitWeights } from '../../scripts/matcher/fit-weights.ts';
import { readTrainingData } from '../../scripts/matcher/training-data.ts';
import { type TrainingPair, trainingPairs } from '../../scripts/matcher/training-pairs.ts';
import { FEATURES } from '../../src/match/evidence/features.ts';
import { loadModel } from '../../src/match/evidence/model.ts';
import { loadWordTable } from '../../src/match/evidence/word-table.ts';
import { stem } from '../../src/text/words/words.ts';

const data = readTrainingData();

test('the weights and the word table were made from the training data of this version: npm run train-matcher', () => {
  expect(loadModel().trained_on.sha256).toBe(data.sha256);
  expect(countWords(data.weaknesses)).toEqual(loadWordTable());
});

test('every sentence of a weakness is written once, and a weakness has several', () => {
  const texts = data.weaknesses.flatMap((weakness) => weakness.texts);
  expect(new Set(texts).size).toBeGreaterThan(0.99 * texts.length);
  expect(data.weaknesses.filter((weakness) => weakness.texts.length < 3)).toEqual([]);
});

test('a word of every weakness of a service tells nothing, a word of one weakness tells much', () => {
  const table = countWords(
    ['encryption', 'logging', 'versioning', 'replication'].map((id) => ({
      id,
      service: 'aws:frob',
      texts: [`frobnicator lacks ${id}`, `${id} of the frobnicator`, `no ${id} for this frobnicator`],
    })),
  );
  const [common, telling] = [table.words.frobnicator, table.words[stem('replication')]];
  expect(common?.weight).toBeLessThan(0.25);
  expect(common?.present).toBeLessThan(0.25);
  expect(telling?.weight).toBe(1);
  expect(telling?.present).toBeGreaterThan(0.8);
  expect(telling?.missing).toBeLessThan(-0.5);
});

test('a feature that would count the wrong way gets no weight', () => {
  const zero = Object.fromEntries(FEATURES.map(({ name }) => [name, 0])) as TrainingPair['features'];
  const pair = (same: boolean, features: Partial<TrainingPair['features']>): TrainingPair => ({
    features: { ...zero, ...features },
    same,
    weight: 10,
    service: null,
  });
  const { weights } = fitWeights([
    pair(true, { words_of_finding: 1 }),
    pair(false, { details_shared: 1 }),
    pair(false, {}),
  ]);
  expect(weights.words_of_finding).toBeGreaterThan(0.5);
  expect(weights.details_shared).toBe(0);
});

test('sentences of one style are not compared in training, since one author builds them alike', () => {
  const weakness = (id: string) => ({
    id,
    service: 'aws:s3',
    texts: [`Buckets should have ${id}`, `Bucket lacks ${id}`],
    styles: ['policy', 'finding'],
  });
  const weaknesses = [weakness('access logging'), weakness('logging of data events')];
  const table = countWords(weaknesses);
  const pairs = trainingPairs({ weaknesses, titles: [], labelled: [], games: [] }, { all: table, without: [] });
  expect(pairs.filter(({ same }) => same)).toHaveLength(4);
  expect(pairs.filter(({ same }) => !same).length).toBeLessThanOrEqual(4);
});

test('words that replace each other in sentences of a weakness are synonyms, words that stay are not', () => {
  const sentences = (thing: string) => [
    [thing, 'removed'],
    [thing, 'deleted'],
  ];
  const synonyms = countSynonyms(['table', 'bucket', 'queue', 'key', 'topic', 'volume', 'domain'].map(sentences));
  expect(synonyms.removed?.deleted).toBeGreaterThan(0.5);
  expect(synonyms.deleted).toEqual(synonyms.removed && { removed: synonyms.removed.deleted });
  expect(synonyms.table?.bucket).toBeUndefined();
});
