// Counts the words of the training sentences and fits the weights of the evidence matcher. Writes both, the same for
// the same data: run it after a change of the lexicon, of a feature, or of the sentences.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WordEvidence, WordTable } from '../packages/salvo-arena/src/match/evidence/lexicon/word-table.ts';
import { agreementOf, trainMatcher } from './matcher/train.ts';
import { readTrainingData } from './matcher/training-data.ts';

const FOLDER = new URL('../packages/salvo-arena/src/match/evidence/', import.meta.url);
const BIOME = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));

const { table, model, heldOut } = trainMatcher(readTrainingData());
writeFormatted('lexicon/word-table.json', tableDocument(table));
writeFormatted('weighing/model.json', model);
console.log(`${model.trained_on.pairs} pairs, ${model.trained_on.same} of them the same weakness`);
for (const [name, pairs] of Object.entries(heldOut)) {
  const { kappa, interval } = agreementOf(pairs);
  console.log(`held out, ${name}: kappa ${kappa} (95% interval ${interval.join(' to ')})`);
}

/** Writes a file as the formatter wants it, so that a change of it can be read. */
function writeFormatted(name: string, data: unknown): void {
  const path = fileURLToPath(new URL(name, FOLDER));
  writeFileSync(path, `${JSON.stringify(data)}\n`);
  execFileSync(BIOME, ['format', '--write', path], { stdio: 'ignore' });
}

/** Each entry as a list of weight, present and missing. */
function tableDocument({ unseen_word, unseen_concept, words, concepts, ...rest }: WordTable): unknown {
  const list = ({ weight, present, missing }: WordEvidence) => [weight, present, missing];
  const lists = (entries: Readonly<Record<string, WordEvidence>>) =>
    Object.fromEntries(Object.entries(entries).map(([key, of]) => [key, list(of)]));
  return {
    unseen_word: list(unseen_word),
    unseen_concept: list(unseen_concept),
    words: lists(words),
    concepts: lists(concepts),
    ...rest,
  };
}
