import { z } from 'zod';
import { gameSchema } from '../../game/game-document.ts';
import { experimentRecordSchema } from '../experiment-record.ts';

const known = z.number().nullable();
const count = z.int();

/** A rate with its 95% interval. Null where there is nothing to compute it from. */
const rate = z.object({ value: known, interval: z.tuple([z.number(), z.number()]).nullable() });
export type RateEstimate = z.infer<typeof rate>;

// What has a default is not in documents that earlier versions wrote.
const laterRate = rate.default({ value: null, interval: null });
const laterCount = z.number().default(0);
const structuresSchema = z.object({ count, effective: z.number() }).default({ count: 0, effective: 0 });
const betaSchema = z.number().default(1);
const trapsSchema = z.array(z.object({ blue: z.string(), places: count, alarmed: count, rate })).default([]);

const rates = z.object({ precision: rate, recall: rate, f1: rate, evasion: rate });

/** Which precision Blues are compared by. */
const precisionUsed = z.enum(['twin', 'classic']);
export type PrecisionUsed = z.infer<typeof precisionUsed>;

/** The metrics of many games. */
const metricsSchema = z.object({
  games: count,
  /** What the intervals are computed over: structures or pieces of code. Fewer than ten make wide intervals. */
  clusters: count,
  /** As many clusters with equal numbers of games would say as much: (sum of games)² / sum of squares. */
  effective_clusters: laterCount,
  vulnerabilities: count,
  found: count,
  false_alarms: count,
  consequences: count,
  present_before: count,
  /**
   * By the clean twin: findings that a flaw caused are no false alarms. The precision is of all games as if they were
   * one, F1 is the mean over games. Null unless Blue looked at the twin in all of these games.
   */
  by_twin: z
    .object({
      false_alarms: count,
      precision: rate,
      f1: rate,
      /** False alarms about values that only evaluation finds; null unless known in all of these games. */
      unresolved: count.nullable().default(null),
      precision_without_unresolved: laterRate,
    })
    .nullable(),
  /** Of the pooled precision (by the twin if there is one) and recall; recall counts `beta` times as much. */
  f_beta: laterRate,
  /** Of all games as if they were one, so that large games count more. No precision where nothing was reported. */
  pooled: rates,
  /** Every game counts alike. */
  average: rates,
  /** The share of untouched resources that was flagged. */
  false_positive_rate: rate,
  /** Pooled recall minus the false-positive rate: 0 is no better than guessing. */
  youden_j: rate,
});
export type GameMetrics = z.infer<typeof metricsSchema>;

/** How many vulnerabilities a Blue found of one group: of a category, or of a technique. */
const groupSchema = z.object({
  blue: z.string(),
  group: z.string(),
  vulnerabilities: count,
  found: count,
  recall: rate,
});
export type GroupRecall = z.infer<typeof groupSchema>;

/** How much of what a Red claimed was true. Every piece of code counts once, however many Blues looked at it. */
const manifestSchema = z.object({
  red: z.string(),
  codes: count,
  claimed: count,
  confirmed: count,
  phantoms: count,
  unchecked: count,
  accuracy: rate,
});
export type ManifestMetrics = z.infer<typeof manifestSchema>;

/** Two Blues on the same code. Differences are the first minus the second. */
const comparisonSchema = z.object({
  first: z.string(),
  second: z.string(),
  /** Pieces of code that both looked at. */
  games: count,
  vulnerabilities: count,
  both: count,
  only_first: count,
  only_second: count,
  neither: count,
  /** The difference between the shares of vulnerabilities that they found. */
  risk_difference: rate,
  /** Among the vulnerabilities that only one found: first to second. Null when the second found none of them. */
  odds_ratio: known,
  /** Exact, with every vulnerability as an observation; below it corrected for all comparisons (Holm). */
  mcnemar_p: z.number(),
  mcnemar_p_holm: z.number(),
  /** `twin` if both Blues looked at the clean twin in all of these games. All figures below are by it. */
  precision_used: precisionUsed,
  /** Of pooled precisions. */
  precision_difference: rate,
  f1_difference: rate,
  /** Cohen's d of the paired differences. Null without variance. */
  f1_effect_size: known,
  /** Whole clusters are swapped. */
  permutation_p: known,
  permutation_p_holm: known,
});
export type BlueComparison = z.infer<typeof comparisonSchema>;

/** A rate over several runs: sd is the standard deviation of the runs. */
const spreadSchema = z.object({ mean: z.number(), sd: z.number(), lowest: z.number(), highest: z.number() });
export type Spread = z.infer<typeof spreadSchema>;

/** How much the runs of a Blue on the same code differ. */
const stabilitySchema = z.object({
  blue: z.string(),
  runs: count,
  codes: count,
  /** How many flaws every run found, some runs, and no run. */
  always: count,
  sometimes: count,
  never: count,
  /** Of each run over all code. Precision is by the twin if Blue looked at it. */
  recall: spreadSchema.nullable(),
  precision: spreadSchema.nullable(),
  f1: spreadSchema.nullable(),
});
export type RunStability = z.infer<typeof stabilitySchema>;

/** What the findings of a Blue cost, how long they took, and how its severities agree with those of the flaws. */
const effortSchema = z.object({
  blue: z.string(),
  findings: count,
  matches: count,
  /** For both looks, failed games included; null where it is not known. */
  cost_usd: known,
  seconds: known,
  cost_per_finding_usd: known,
  cost_per_match_usd: known,
  seconds_per_game: known,
  seconds_per_match: known,
  /** Of the matches with a severity on both sides: how many have the same, one step off; kappa has linear weights. */
  severity: z.object({ matches: count, same: count, one_off: count, kappa: known }),
});
export type BlueEffort = z.infer<typeof effortSchema>;

const { game_id, task, red, blue, difficulty, language, strategy, repetition, failed_stage, error } = gameSchema.shape;
const cell = { red, blue, difficulty, language, strategy };

/** The metrics of games that have one thing in common, whatever else they differ in. */
const dimensionSchema = metricsSchema.extend({
  dimension: z.enum(['red', 'difficulty', 'language', 'strategy']),
  value: z.string(),
  blue,
});
export type DimensionMetrics = z.infer<typeof dimensionSchema>;

const failedSchema = z.object({ game_id, task, ...cell, repetition, failed_stage, error });
export type FailedGame = z.infer<typeof failedSchema>;

/** What became of the games of an experiment. `missing`: not played. */
const gamesSchema = z.object({
  ...{ planned: count, scored: count, failed: count, missing: count },
  /** Why stored games can't be read, each with its id. Absent if all can be. */
  unreadable: z.array(z.string()).optional(),
});
export type GameCounts = z.infer<typeof gamesSchema>;

/** The results of an experiment so far. A document. */
export const experimentResultsSchema = z.object({
  experiment: experimentRecordSchema,
  games: gamesSchema,
  /**
   * What is one cluster for the intervals: all games on code of one structure (of one task if a model wrote the code),
   * or all on one piece of code if there are fewer than ten structures.
   */
  clustered_by: z.enum(['structure', 'code']),
  /** How many structures the code has, and how many equally frequent ones would say as much. */
  structures: structuresSchema,
  /** The weight of recall in `f_beta`. */
  beta: betaSchema,
  /** `twin` if every Blue looked at the clean twin in every game. Comparisons say it for each pair. */
  precision_used: precisionUsed,
  /**
   * `lost`: paid for games that were replaced or not stored. It is part of `known`. `calls_unknown`: how many calls may
   * have been charged without anybody knowing how much. `killed`: so was what a process had under way that was killed.
   */
  cost_usd: z.object({
    ...{ red: known, blue: known, judge: known, lost: z.number(), known: z.number() },
    calls_unknown: count,
    killed: z.boolean().optional(),
  }),
  manifests: z.array(manifestSchema),
  overall: metricsSchema,
  blues: z.array(metricsSchema.extend({ blue })),
  /** Each Red against each Blue. */
  pairings: z.array(metricsSchema.extend({ red, blue })),
  /** Each dimension of the matrix that varies, by itself. */
  dimensions: z.array(dimensionSchema),
  cells: z.array(metricsSchema.extend(cell)),
  categories: z.array(groupSchema),
  techniques: z.array(groupSchema),
  comparisons: z.array(comparisonSchema),
  /** Places that look flawed and are safe: on how many of them each Blue reports the flaw. */
  traps: trapsSchema,
  /** Empty unless Blues looked several times at the same code. */
  runs: z.array(stabilitySchema).default([]),
  efforts: z.array(effortSchema).default([]),
  /** The first so many; `games.failed` counts all. */
  failed: z.array(failedSchema),
});
export type ExperimentResults = z.infer<typeof experimentResultsSchema>;

/** How a scanner does on flawed code, and on the same code without the flaws. */
const rowSchema = z.object({
  flaws: count,
  /** Flaws that a finding is about. A finding that is also on the clean twin is about none. */
  found: count,
  /** Resources of the clean twins, and on how many of them the scanner raises an alarm. */
  resources: count,
  flagged_resources: count,
  recall: rate,
  /** The share of clean resources that are flagged. */
  false_positive_rate: rate,
  /** Recall minus the false-positive rate: 1 is perfect, 0 is as good as silence. */
  youden_j: rate,
});
export type ScorecardRow = z.infer<typeof rowSchema>;

/** A row over all categories also knows how many alarms there are: findings about no weakness present before. */
const totalSchema = rowSchema.extend({
  alarms: count,
  alarms_per_100_resources: known,
  /** Without what is unresolved: alarms about values that only evaluation finds. Null where it is not known. */
  resolved_alarms: count.nullable().default(null),
  false_positive_rate_without_unresolved: known.default(null),
});
export type ScorecardTotal = z.infer<typeof totalSchema>;

/** How a scanner does, by category. A document. */
export const scorecardSchema = z.object({
  experiment: experimentRecordSchema,
  games: gamesSchema,
  /** Why the first games failed. */
  errors: z.array(z.string()),
  /** The mean of Youden's J over the categories, each counting alike, as the OWASP Benchmark scores. */
  score: rate,
  overall: totalSchema,
  /** Precision, F-beta and the rest, as in the results of an experiment. */
  metrics: metricsSchema.optional(),
  structures: structuresSchema,
  beta: betaSchema,
  traps: trapsSchema,
  runs: z.array(stabilitySchema).default([]),
  efforts: z.array(effortSchema).default([]),
  /** For each weakness that was planted: the rules of scanners that count as naming it. */
  accepted_ids: z.array(z.object({ weakness: z.string(), flaws: count, ids: z.array(z.string()) })).default([]),
  languages: z.array(totalSchema.extend({ language: z.string() })),
  difficulties: z.array(totalSchema.extend({ difficulty: z.string() })),
  /** A clean resource is flagged for a category if an alarm on it is of this category, or of an unknown one. */
  categories: z.array(rowSchema.extend({ category: z.string() })),
});
export type Scorecard = z.infer<typeof scorecardSchema>;
