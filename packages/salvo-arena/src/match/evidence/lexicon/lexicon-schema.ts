import { z } from 'zod';

/** Phrases separated by commas. */
const phrases = z.string().transform((text) =>
  text
    .split(',')
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== ''),
);
const noPhrases = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((phrase) => phrase.trim() || []));
const share = z.number().gt(0).max(1);

const conceptFields = {
  /** Its name in explanations. */
  says: z.string().min(1),
  words: phrases,
  /** The wider concept that it belongs to, and how far the two count as the same. */
  under: z.string().optional(),
  kin: share.default(0.8),
  /** Other related concepts, and how far they count as the same. */
  near: z.record(z.string(), share).default({}),
};

/**
 * The lexicon file. Case, plural, punctuation and gaps of a phrase do not matter (`Cloud Trail` and `CLOUDTRAIL` are
 * the same), and the longest phrase wins, so that "activity log" is an object and no statement about logging. A phrase
 * may belong to several concepts.
 */
export const lexiconSchema = z.strictObject({
  $comment: z.string().optional(),
  /** A word and the words it abbreviates. */
  abbreviations: z.record(z.string(), z.string().min(1)),
  /** What is wrong. A coarse aspect is only a heading, and is ignored next to any other. */
  aspects: z.record(
    z.string(),
    z.strictObject({
      ...conceptFields,
      coarse: z.boolean().default(false),
      /** The object that is meant when none is named: an open port is one of a security group. */
      implies: z.string().optional(),
      /** Aspects that are not meant next to it, though their words occur: HTTPS, where the TLS version is old. */
      overrides: z.array(z.string()).default([]),
      /** How far the aspects under it count as the same. */
      siblings: share.default(0.4),
    }),
  ),
  /** What a claim is about. */
  objects: z.record(
    z.string(),
    z.strictObject({
      ...conceptFields,
      /** Prefixes of the types of its resources. */
      types: phrases.optional(),
      /** It says little about a claim, and is ignored next to any other. */
      weak: z.boolean().default(false),
      /** Next to these aspects it is only a means, and ignored as well: a key, where encryption is missing. */
      mere: z.array(z.string()).default([]),
      /** The aspect that is meant when a claim only says that the object is missing: CloudTrail provides logging. */
      provides: z.string().optional(),
      /** What an aspect means for this object: encryption of a load balancer is encryption in transit. */
      means: z.record(z.string(), z.string()).default({}),
    }),
  ),
  /** Details by dimension: two different values of one dimension are two different flaws. */
  qualifiers: z.record(z.string(), z.record(z.string(), phrases)),
  /**
   * Details that decide whatever else agrees, by their kind: two headlines that state different values of a kind are
   * about different flaws. Beside qualifiers they are no evidence: that both say "cluster" is no reason for a match.
   */
  deciding: z.record(
    z.string(),
    z.strictObject({
      /** By the name of a value in explanations. A phrase may belong to several values. */
      values: z.record(z.string(), phrases),
      /** Phrases that have words of a value and mean something else. */
      ignore: noPhrases,
      /** The kind counts only in texts with one of these phrases, and not in texts with one of those. */
      only: noPhrases,
      unless: noPhrases,
      /** Only the first value that a text names counts: "Rules of the web ACL" are rules. */
      first: z.boolean().default(false),
      /** The code says which value is meant, so two claims at one resource cannot differ in it. */
      by_place: z.boolean().default(false),
    }),
  ),
  /** The aspect that is meant when only a detail of a dimension is stated: a port means an open port. */
  dimension_aspects: z.record(z.string(), z.string()),
  /** Words that many different findings use. Two claims that share only such words have nothing in common. */
  generic: phrases,
  /** Words that say nothing about a flaw. They have no weight at all. */
  silent: phrases,
  /** Phrases that say that something is in order. */
  sound: phrases,
});

export type LexiconFile = z.infer<typeof lexiconSchema>;
