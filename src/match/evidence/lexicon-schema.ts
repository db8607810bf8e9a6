import { z } from 'zod';

/** Phrases with commas between them. */
const phrases = z.string().transform((text) =>
  text
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== ''),
);
const share = z.number().gt(0).max(1);

const conceptFields = {
  /** How a person is told of it. */
  says: z.string().min(1),
  words: phrases,
  /** The wider matter that it belongs to, and how far the two count as the same. */
  under: z.string().optional(),
  kin: share.default(0.8),
  /** What else it is akin to, and how far. */
  near: z.record(z.string(), share).default({}),
};

/**
 * How the lexicon is written. Case, plural, punctuation and gaps of a phrase do not matter (`Cloud Trail` and
 * `CLOUDTRAIL` are one), and the longest phrase wins, so that "activity log" is a thing and no statement about logging.
 * A phrase may stand under several heads.
 */
export const lexiconSchema = z.strictObject({
  $comment: z.string().optional(),
  /** One word that stands for others. */
  abbreviations: z.record(z.string(), z.string().min(1)),
  /** What is wrong. A coarse aspect is only a heading, and yields to any other. */
  aspects: z.record(
    z.string(),
    z.strictObject({
      ...conceptFields,
      coarse: z.boolean().default(false),
      /** The object that is meant when none is named: an open port is one of a security group. */
      implies: z.string().optional(),
      /** What is not meant beside it, though its words are said: the HTTPS whose TLS version is old. */
      overrides: z.array(z.string()).default([]),
      /** How far the aspects under it count as the same. */
      siblings: share.default(0.4),
    }),
  ),
  /** What it is about. */
  objects: z.record(
    z.string(),
    z.strictObject({
      ...conceptFields,
      /** How the type of its resources begins. */
      types: phrases.optional(),
      /** It says little of what a claim is about, and yields to any other. */
      weak: z.boolean().default(false),
      /** Beside these aspects it is a mere means, and yields, too: a key where encryption is the matter. */
      mere: z.array(z.string()).default([]),
      /** What is wrong when all that is said is that it is missing: without CloudTrail, there is no log. */
      provides: z.string().optional(),
      /** What an aspect means when it is said of this: encryption of a load balancer is encryption in transit. */
      means: z.record(z.string(), z.string()).default({}),
    }),
  ),
  /** Details by dimension: two different values of one dimension are two different flaws. */
  qualifiers: z.record(z.string(), z.record(z.string(), phrases)),
  /** What is meant when a detail of a dimension is all that is said: a port is one that is open. */
  dimension_aspects: z.record(z.string(), z.string()),
  /** Words of any finding: they say nothing. */
  generic: phrases,
  /** Words of many findings: they say little. */
  common: phrases,
  /** Who writes so praises, and does not blame. */
  sound: phrases,
});

export type LexiconFile = z.infer<typeof lexiconSchema>;
