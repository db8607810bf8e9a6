import { expect, test } from 'vitest';
import { countSynonyms } from '../../../../scripts/matcher/count-synonyms.ts';
import { countWords } from '../../../../scripts/matcher/count-words.ts';
import { fitWeights } from '../../../../scripts/matcher/fit-weights.ts';
import { type PhrasedWeakness, readTrainingData } from '../../../../scripts/matcher/training-data.ts';
import { type TrainingPair, trainingPairs } from '../../../../scripts/matcher/training-pairs.ts';
import { createWordTables } from '../../../../scripts/matcher/word-tables.ts';
import { isThorough } from '../../../../test/thorough.ts';
import { stem } from '../../../salvo/src/text/words/words.ts';
import { loadWordTable, type WordTable } from '../../src/match/evidence/lexicon/word-table.ts';
import { FEATURES } from '../../src/match/evidence/weighing/features.ts';
import { loadModel } from '../../src/match/evidence/weighing/model.ts';
import { weaknessById } from '../../src/match/weaknesses/weaknesses.ts';

const data = readTrainingData();
const NO_DATA = { titles: [], labelled: [], games: [] };

function weakness(id: string) {
  return {
    id,
    service: 'aws:s3',
    sentences: [
      { text: `Buckets should have ${id}`, style: 'policy', author: '0' },
      { text: `Bucket lacks ${id}`, style: 'finding', author: '0' },
    ],
  };
}

test('the weights were made from the training data of this version: npm run train-matcher', () => {
  expect(loadModel().trained_on.sha256).toBe(data.sha256);
});

test.runIf(isThorough())('so was the word table', () => {
  expect(countWords(data.weaknesses)).toEqual(loadWordTable());
});

test('every sentence of a weakness is written once, and a weakness has several', () => {
  const texts = data.weaknesses.flatMap(({ sentences }) => sentences.map(({ text }) => text));
  expect(new Set(texts).size).toBeGreaterThan(0.99 * texts.length);
  expect(data.weaknesses.filter(({ sentences }) => sentences.length < 3)).toEqual([]);
});

test('several authors wrote about every weakness of the catalogue', () => {
  const authorsOf = ({ sentences }: PhrasedWeakness) => new Set(sentences.map(({ author }) => author)).size;
  const few = data.weaknesses.filter((weakness) => weaknessById(weakness.id) !== undefined && authorsOf(weakness) < 4);
  expect(few.map(({ id }) => id)).toEqual([]);
});

test('a word of every weakness of a service tells nothing, a word of one weakness tells much', () => {
  const table = countWords(
    ['encryption', 'logging', 'versioning', 'replication'].map((id) => ({
      id,
      service: 'aws:frob',
      sentences: [`frobnicator lacks ${id}`, `${id} of the frobnicator`, `no ${id} for this frobnicator`].map(
        (text) => ({
          text,
        }),
      ),
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
    authors: [],
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
  const weaknesses = [weakness('access logging'), weakness('logging of data events')];
  const pairs = trainingPairs({ ...NO_DATA, weaknesses }, createWordTables(weaknesses));
  expect(pairs.filter(({ same }) => same)).toHaveLength(4);
  expect(pairs.filter(({ same }) => !same).length).toBeLessThanOrEqual(4);
});

test('a table without authors knows their weaknesses from the others only', () => {
  const sentences = [
    { text: 'Bucket keeps no access logs', style: 'finding', author: 'ann' },
    { text: 'Requests for objects leave no trace', style: 'model', author: 'bob' },
  ];
  const tables = createWordTables([{ id: 's3-bucket-no-access-logging', service: 'aws:s3', sentences }]);
  const knowsTrace = (table: WordTable) => Object.hasOwn(table.words, stem('trace'));
  expect(knowsTrace(tables.withoutAuthors(['ann']))).toBe(true);
  expect(knowsTrace(tables.withoutAuthors(['bob']))).toBe(false);
  expect(tables.withoutAuthors(['ann', 'bob']).weaknesses.ids).toEqual([]);
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
