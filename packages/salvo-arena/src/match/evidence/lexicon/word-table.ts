import { dataFile, once } from 'salvo/kit/text';
import { z } from 'zod';

/**
 * What a word of one text says about whether another text of the same service is about the same weakness, as counted in
 * sentences that were written for known weaknesses.
 */
export interface WordEvidence {
  /** How well the word tells one weakness of a service from the others, from 0 to 1. */
  weight: number;
  /** The evidence for the same weakness if the other text has the word: a logarithm of odds, at least 0. */
  present: number;
  /** The evidence against it if the other text lacks the word, at most 0. */
  missing: number;
}

const evidence = z
  .tuple([z.number().min(0).max(1), z.number().min(0), z.number().max(0)])
  .transform(([weight, present, missing]): WordEvidence => ({ weight, present, missing }));

/** Made by `npm run train-matcher`. Each entry has weight, present and missing. */
const wordTableSchema = z.strictObject({
  /** For a word that no training sentence has. */
  unseen_word: evidence,
  unseen_concept: evidence,
  /** By stem. */
  words: z.record(z.string(), evidence),
  /** Words that replace each other in sentences about one weakness, and how far they do. */
  synonyms: z.record(z.string(), z.record(z.string(), z.number().min(0).max(1))),
  /** By the concept's id in the lexicon. */
  concepts: z.record(z.string(), evidence),
  weaknesses: z.strictObject({
    ids: z.array(z.string()),
    /** The service of each weakness, such as `aws:s3`. */
    services: z.array(z.string()),
    /** Pairs of indices: a weakness, and one that it is part of. */
    part_of: z.array(z.tuple([z.int(), z.int()])),
    /** By word (its stem) or concept (`#id`): pairs of the index of a weakness and how many of its sentences have it. */
    keys: z.record(z.string(), z.array(z.number())),
  }),
});

export type WordTable = z.infer<typeof wordTableSchema>;

/** The word table of the package; read when it is first needed. */
export const loadWordTable = once(() =>
  wordTableSchema.parse(JSON.parse(dataFile(import.meta.url, './word-table.json'))),
);
