import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  otherNames,
  wholesOf,
  whyItFollows,
} from '../../packages/salvo-arena/src/match/weaknesses/weakness-relations.ts';
import { withCatalogueTexts } from './catalogue-texts.ts';

/** A weakness, and sentences that were written for it in many styles. */
const phrasedSchema = z.object({
  weakness: z.string(),
  cloud: z.string(),
  service: z.string(),
  /** Of a weakness that the catalogue does not have: those that it is part of. */
  part_of: z.array(z.string()).default([]),
  phrasings: z.array(z.object({ style: z.string(), text: z.string() })).min(1),
});
/** Sentences that further authors wrote for weaknesses of the catalogue, without having seen those of others. */
const authoredSchema = z.object({
  weakness: z.string(),
  author: z.string(),
  phrasings: z.array(z.object({ style: z.string(), text: z.string() })).min(1),
});
/** Two of the sentences, and what a reader says who does not know which weakness they were written for. */
const blindLabelSchema = z.object({
  cloud: z.string(),
  service: z.string(),
  a: z.string(),
  b: z.string(),
  same: z.boolean().nullable(),
});
/** Two titles of rules for one weakness, as two vendors would write them. */
const titlesSchema = z.object({ cloud: z.string(), service: z.string(), a: z.string(), b: z.string() });
const record = z.record(z.string(), z.unknown());
const labelledSchema = z.array(z.object({ vulnerability: record, finding: record, same: z.boolean() }));
const gamesSchema = z.array(z.object({ vulnerability: record, findings: z.array(record), caught: z.boolean() }));

export interface Sentence {
  text: string;
  style: string;
  author: string;
}

export interface PhrasedWeakness {
  id: string;
  /** With the cloud: `aws:s3`. */
  service: string;
  /** The weaknesses that it is part of. */
  wholes?: readonly string[];
  sentences: readonly Sentence[];
}

export interface TrainingData {
  weaknesses: PhrasedWeakness[];
  blind: { service: string; a: string; b: string; same: boolean }[];
  titles: { service: string; a: string; b: string }[];
  labelled: z.infer<typeof labelledSchema>;
  games: z.infer<typeof gamesSchema>;
  /** Of everything that the training reads. */
  sha256: string;
}

/** Who wrote the first file of sentences. */
export const FIRST_AUTHOR = '0';

const LEXICON = new URL('../../packages/salvo-arena/src/match/evidence/lexicon/lexicon.json', import.meta.url);
const FOLDER = new URL('../../bench/data/matcher/', import.meta.url);

export function readTrainingData(): TrainingData {
  const hash = createHash('sha256');
  const read = (path: string): string => {
    const text = readFileSync(new URL(path, FOLDER), 'utf8');
    hash.update(text);
    return text;
  };
  const json = (path: string): unknown => JSON.parse(read(path));
  const lines = (path: string): unknown[] =>
    read(path)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  read(LEXICON.href);
  const weaknesses = z.array(phrasedSchema).parse(lines('phrasings.jsonl'));
  const labelled = ['labelled-pairs', 'service-pairs'].flatMap((name) => labelledSchema.parse(json(`${name}.json`)));
  const games = gamesSchema.parse(json('scanner-games.json'));
  const blind = z.array(blindLabelSchema).parse(lines('blind-labels.jsonl'));
  const titles = z.array(titlesSchema).parse(lines('titles.jsonl'));
  const phrased = weaknesses.map(({ weakness, cloud, service, part_of, phrasings }) => ({
    id: weakness,
    service: `${cloud}:${service}`,
    wholes: [...part_of, ...wholesOf(weakness)],
    sentences: phrasings.map((phrasing) => ({ ...phrasing, author: FIRST_AUTHOR })),
  }));
  const authored = z.array(authoredSchema).parse(lines('authors.jsonl'));
  const byOthers = Map.groupBy(
    authored.flatMap(({ weakness, author, phrasings }) =>
      phrasings.map((phrasing) => ({ weakness, sentence: { ...phrasing, author } })),
    ),
    ({ weakness }) => weakness,
  );
  const all = withCatalogueTexts(phrased, (id) => byOthers.get(id)?.map(({ sentence }) => sentence) ?? []);
  hash.update(JSON.stringify(all));
  return {
    weaknesses: all,
    blind: blind.flatMap(({ cloud, service, a, b, same }) =>
      same === null ? [] : [{ service: `${cloud}:${service}`, a, b, same }],
    ),
    titles: titles.map(({ cloud, service, a, b }) => ({ service: `${cloud}:${service}`, a, b })),
    labelled,
    games,
    sha256: hash.digest('hex'),
  };
}

/** Services are held out together in as many parts. */
const FOLDS = 5;

export function foldOf(service: string): number {
  return createHash('sha256').update(service).digest().readUInt16BE() % FOLDS;
}

/** Texts about one may be about the other as well, so they are no examples of different weaknesses. */
export function areRelated(a: PhrasedWeakness, b: PhrasedWeakness): boolean {
  return (
    whyItFollows(a.id, b.id) !== null ||
    whyItFollows(b.id, a.id) !== null ||
    [...otherNames(a.id)].includes(b.id) ||
    a.wholes?.includes(b.id) === true ||
    b.wholes?.includes(a.id) === true
  );
}
