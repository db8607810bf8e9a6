// Counts the words of the training sentences and fits the weights of the evidence matcher. Writes both, the same for
// the same data: run it after a change of the lexicon, of a feature, or of the sentences.
import { writeFileSync } from 'node:fs';
import type { Model } from '../src/match/evidence/model.ts';
import type { WordEvidence, WordTable } from '../src/match/evidence/word-table.ts';
import { agreementOf, trainMatcher } from './matcher/train.ts';
import { readTrainingData } from './matcher/training-data.ts';

const FOLDER = new URL('../src/match/evidence/', import.meta.url);

const { table, model, heldOut } = trainMatcher(readTrainingData());
writeFileSync(new URL('word-table.json', FOLDER), `${tableText(table)}\n`);
writeFileSync(new URL('model.json', FOLDER), `${modelText(model)}\n`);
console.log(`${model.trained_on.pairs} pairs, ${model.trained_on.same} of them the same weakness`);
for (const [name, pairs] of Object.entries(heldOut)) {
  const { kappa, interval } = agreementOf(pairs);
  console.log(`held-out services, ${name}: kappa ${kappa} (95% interval ${interval.join(' to ')})`);
}

/** As the formatter writes it: a list of numbers on one line. */
function modelText(model: Model): string {
  return JSON.stringify(model, null, 2).replace(/\[[^\]]+\]/g, (list) =>
    JSON.stringify(JSON.parse(list)).replace(',', ', '),
  );
}

/** One word on each line, so that a change of the table can be read. */
function tableText({ unseen_word, unseen_concept, words, concepts, synonyms, weaknesses }: WordTable): string {
  const entry = ({ weight, present, missing }: WordEvidence) => `[${weight}, ${present}, ${missing}]`;
  const list = (values: readonly unknown[]) =>
    `[\n${values.map((value) => `      ${JSON.stringify(value)}`).join(',\n')}\n    ]`;
  const lines = (entries: Readonly<Record<string, WordEvidence>>) =>
    Object.entries(entries)
      .map(([key, of]) => `    ${JSON.stringify(key)}: ${entry(of)}`)
      .join(',\n');
  return `{
  "unseen_word": ${entry(unseen_word)},
  "unseen_concept": ${entry(unseen_concept)},
  "words": {\n${lines(words)}\n  },
  "concepts": {\n${lines(concepts)}\n  },
  "synonyms": ${JSON.stringify(synonyms, null, 2).replaceAll('\n', '\n  ')},
  "weaknesses": {
    "ids": ${list(weaknesses.ids)},
    "part_of": ${list(weaknesses.part_of)},
    "keys": {\n${Object.entries(weaknesses.keys)
      .map(([key, of]) => `      ${JSON.stringify(key)}: ${JSON.stringify(of)}`)
      .join(',\n')}\n    }
  }
}`;
}
