import type { AtLeast } from 'salvo/kit/stats';
import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import { factorSchema } from '../candidates/matcher.ts';
import { unresolvedValueSchema } from './unresolved.ts';

const known = z.number().nullable();
const indices = z.array(z.int());

/** A vulnerability and a finding. */
const pairShape = {
  vulnerability_id: z.string(),
  vulnerability_index: z.int(),
  finding_index: z.int(),
};

/** A vulnerability and a finding that were compared. */
const comparedSchema = z.object({
  ...pairShape,
  /** From 0 to 1. */
  score: z.number(),
  factors: z.array(factorSchema),
  /** The factors as one sentence. */
  explanation: z.string(),
});

/** A vulnerability that was found, and the finding that is about it. */
const matchSchema = comparedSchema.extend({ match_type: z.enum(['exact', 'partial']) });

/** The closest finding to a vulnerability that evaded, and why it did not count. */
const nearMissSchema = comparedSchema.extend({
  /**
   * `below_threshold`; `taken`: it reached the threshold but is matched with another vulnerability; `in_twin`: no flaw
   * caused it, because Blue reports it on the clean twin as well or because it was there before.
   */
  reason: z.enum(['below_threshold', 'taken', 'in_twin']),
});

/** A finding that a flaw caused, and that is about another weakness than the planted one. The flaw is the nearest. */
const consequenceSchema = z.object({
  ...pairShape,
  /** In words: `only in the flawed code; iam-policy-full-admin implies iam-policy-data-exfiltration`. */
  why: z.string(),
});

const intervalSchema = z.object({ low: z.number(), high: z.number() });

/** How many vulnerabilities of a kind there were, and how many of them were found. */
const recallSchema = z.object({ vulnerabilities: z.int(), found: z.int(), recall: z.number() });
const breakdown = z.record(z.string(), recallSchema);

/** What evidence from outside the two teams says. A part is null when nothing was given for it. */
const evidenceSchema = z.object({
  /** Matches that a tool reports as well: indices of vulnerabilities. */
  corroborated: indices.nullable(),
  corroboration_rate: known,
  /** False alarms that a tool reports as well: indices of findings. */
  supported_alarms: indices.nullable(),
  /** Precision without the supported alarms. */
  adjusted_precision: known,
  /** The share of the manifest that was confirmed. */
  manifest_accuracy: known,
  /** Ids of vulnerabilities that are not in the code. */
  phantoms: z.array(z.string()).nullable(),
  /** Recall over the confirmed vulnerabilities. */
  adjusted_recall: known,
  /** The share of the phantoms that Blue "found" nevertheless. */
  phantom_concordance: known,
  true_negatives: known,
  false_positive_rate: known,
  /** Recall minus false-positive rate. */
  youden_j: known,
});

/** How a model decided a pair that the matcher left unclear. */
const decisionSchema = z.object({
  ...pairShape,
  /** Before the model was asked. */
  score: z.number(),
  /** Null: undecided. No model could tell, and the score is unchanged. */
  same: z.boolean().nullable(),
  /** For each model asked. */
  opinions: z.array(
    z.object({
      adapter: z.string(),
      model: z.string(),
      same: z.boolean().nullable(),
      votes: z.int(),
      reasoning: z.string(),
      error: z.string().nullable(),
    }),
  ),
});

/** What the models did. */
const modelsSchema = z.object({
  /** Pairs of the unclear band that models were asked about. */
  asked: z.int(),
  /** How many of these no model could decide. Their scores are unchanged. */
  undecided: z.int(),
  /** Further pairs of the band that exceeded the limit and were not asked about. Their scores are unchanged. */
  left_out: z.int(),
  decisions: z.array(decisionSchema),
  /** Agreement of every two models on the pairs that both decided; null when they cannot be compared. */
  kappas: z.array(z.object({ models: z.tuple([z.string(), z.string()]), kappa: known })),
  calls: z.int(),
  cached_votes: z.int(),
  input_tokens: known,
  output_tokens: known,
  cost_usd: known,
  /** What is known of the cost, if it is not known exactly. */
  cost_at_least: atLeastSchema.optional(),
});

/** The outcome of one Red against one Blue, as a document. */
export const scoreResultsSchema = z.object({
  true_positives: z.int(),
  false_positives: z.int(),
  false_negatives: z.int(),
  precision: z.number(),
  recall: z.number(),
  f1_score: z.number(),
  evasion_rate: z.number(),
  /** By index of the vulnerability. */
  matches: z.array(matchSchema),
  /** Ids of the vulnerabilities that were not found. */
  evaded: z.array(z.string()),
  /** Indices of the findings without a match. */
  false_alarms: indices,

  /** Neither a vulnerability nor a finding: there was nothing to score, and every metric is 0. */
  empty: z.boolean(),
  evaded_indices: indices,
  /** The closest finding for each vulnerability that evaded, if any was close. */
  near_misses: z.array(nearMissSchema),
  /** Further findings of vulnerabilities that are matched already. */
  duplicates: z.array(comparedSchema),
  precision_without_duplicates: z.number(),

  /**
   * With a report on the clean twin: the findings that are only in the flawed code and match no flaw. Without one: those
   * whose weakness follows from that of a flaw at the same place, by the catalogue. All are in `false_alarms`, too.
   */
  consequences: z.array(consequenceSchema),
  /** Indices of findings about weaknesses that the code had before flaws were planted. In `false_alarms`, too. */
  present_before: indices,
  /** Indices of findings that Blue reports on the clean twin as well. Null without a report on the twin, as below. */
  in_twin: indices.nullable(),
  /** Indices of findings that no flaw caused and that are not about a weakness present before. */
  false_alarms_by_twin: indices.nullable(),
  /**
   * Those of them that are about a value which only evaluation finds, and which is safe. They are in
   * `false_alarms_by_twin`, too. Null if the values are not known.
   */
  unresolved: z
    .array(unresolvedValueSchema.extend({ finding_index: z.int() }))
    .nullable()
    .default(null),
  /** Indices of findings in the report on the twin that are not about a weakness present before. */
  clean_alarms: indices.nullable(),
  /** Matches among the matches and the false alarms by the twin. Duplicates and consequences count in neither. */
  precision_by_twin: known,
  /** The same with the unresolved findings left out; null if the values are not known. */
  precision_without_unresolved: known.default(null),
  /** F1 of the precision by the twin and recall. */
  f1_by_twin: known,
  /** Which precision decides: by the twin if there is a report on it. */
  precision_used: z.enum(['twin', 'classic']),

  f2_score: z.number(),
  f05_score: z.number(),
  /** Recall with each vulnerability weighted by its severity. */
  severity_weighted_recall: z.number(),
  breakdowns: z.object({ category: breakdown, severity: breakdown, difficulty: breakdown, technique: breakdown }),
  /** 95%, Wilson. Null where there is nothing to estimate from. */
  intervals: z.object({
    precision: intervalSchema.nullable(),
    recall: intervalSchema.nullable(),
    evasion_rate: intervalSchema.nullable(),
    precision_by_twin: intervalSchema.nullable(),
    precision_without_unresolved: intervalSchema.nullable().default(null),
  }),
  /** The evidence from outside the two teams. */
  anchors: evidenceSchema.nullable(),
  models: modelsSchema.nullable(),
});

/** `ScoreResults` as a document. */
export type ScoreResultsDict = z.infer<typeof scoreResultsSchema>;

/** The outcome of one Red against one Blue. */
export type ScoreResults = CamelCase<ScoreResultsDict>;
export type Pair = CamelCase<z.infer<typeof comparedSchema>>;
export type Match = CamelCase<z.infer<typeof matchSchema>>;
export type NearMiss = CamelCase<z.infer<typeof nearMissSchema>>;
export type Duplicate = Pair;
export type Consequence = CamelCase<z.infer<typeof consequenceSchema>>;
export type Interval = z.infer<typeof intervalSchema>;
export type RecallOf = z.infer<typeof recallSchema>;
export type OutsideEvidence = CamelCase<z.infer<typeof evidenceSchema>>;
export type ModelDecision = CamelCase<z.infer<typeof decisionSchema>>;
export type ModelsPart = CamelCase<z.infer<typeof modelsSchema>>;

/** `true_positives` as `truePositives`, at every depth. What is known of a cost has the same names everywhere. */
type CamelCase<T> = T extends string | number | boolean | null | undefined | AtLeast
  ? T
  : T extends readonly unknown[]
    ? { [Index in keyof T]: CamelCase<T[Index]> }
    : { [Name in keyof T as CamelCaseName<Name>]: CamelCase<T[Name]> };

type CamelCaseName<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCaseName<Rest>>}`
  : Name;
