import { z } from 'zod';
import { experimentRecordSchema } from '../../experiment/experiment-record.ts';
import type { ExperimentEstimate } from '../../experiment/plan/estimate-experiment.ts';
import type { ExperimentResults } from '../../experiment/results/experiment-results.ts';
import type { Scorecard } from '../../experiment/results/scorecard.ts';
import { gameSchema } from '../../game/game-document.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

const known = z.number().nullable();
const rate = z.object({ value: known, interval: z.tuple([z.number(), z.number()]).nullable() });
const rates = z.object({ precision: rate, recall: rate, f1: rate, evasion: rate });
const gamesSchema = z.object({
  ...{ planned: z.int(), scored: z.int(), failed: z.int(), missing: z.int() },
  unreadable: z.array(z.string()).optional(),
});
const precisionUsed = z.enum(['twin', 'classic']);
const { red, blue, difficulty, language, strategy } = gameSchema.shape;

const metricsSchema = z.object({
  games: z.int(),
  clusters: z.int(),
  vulnerabilities: z.int(),
  found: z.int(),
  false_alarms: z.int(),
  consequences: z.int(),
  present_before: z.int(),
  by_twin: z.object({ false_alarms: z.int(), precision: rate, f1: rate }).nullable(),
  pooled: rates,
  average: rates,
  false_positive_rate: rate,
  youden_j: rate,
});

const groupSchema = z.object({
  blue: z.string(),
  group: z.string(),
  vulnerabilities: z.int(),
  found: z.int(),
  recall: rate,
});

const comparisonSchema = z.object({
  first: z.string(),
  second: z.string(),
  games: z.int(),
  vulnerabilities: z.int(),
  both: z.int(),
  only_first: z.int(),
  only_second: z.int(),
  neither: z.int(),
  risk_difference: rate,
  odds_ratio: known,
  mcnemar_p: z.number(),
  mcnemar_p_holm: z.number(),
  precision_used: precisionUsed,
  precision_difference: rate,
  f1_difference: rate,
  f1_effect_size: known,
  permutation_p: known,
  permutation_p_holm: known,
});

const resultsSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS['experiment-results']),
  experiment: experimentRecordSchema,
  games: gamesSchema,
  clustered_by: z.enum(['task', 'code']),
  precision_used: precisionUsed,
  cost_usd: z.object({
    red: known,
    blue: known,
    judge: known,
    lost: z.number(),
    known: z.number(),
    calls_unknown: z.int(),
  }),
  manifests: z.array(
    z.object({
      red: z.string(),
      codes: z.int(),
      claimed: z.int(),
      confirmed: z.int(),
      phantoms: z.int(),
      unchecked: z.int(),
      accuracy: rate,
    }),
  ),
  overall: metricsSchema,
  blues: z.array(metricsSchema.extend({ blue })),
  pairings: z.array(metricsSchema.extend({ red, blue })),
  dimensions: z.array(
    metricsSchema.extend({
      dimension: z.enum(['red', 'difficulty', 'language', 'strategy']),
      value: z.string(),
      blue,
    }),
  ),
  cells: z.array(metricsSchema.extend({ red, blue, difficulty, language, strategy })),
  categories: z.array(groupSchema),
  techniques: z.array(groupSchema),
  comparisons: z.array(comparisonSchema),
  failed: z.array(
    gameSchema.pick({
      game_id: true,
      task: true,
      red: true,
      blue: true,
      difficulty: true,
      language: true,
      strategy: true,
      repetition: true,
      failed_stage: true,
      error: true,
    }),
  ),
}) satisfies z.ZodType<ExperimentResults>;

const rowSchema = z.object({
  flaws: z.int(),
  found: z.int(),
  resources: z.int(),
  flagged_resources: z.int(),
  recall: rate,
  false_positive_rate: rate,
  youden_j: rate,
});
const totalSchema = rowSchema.extend({ alarms: z.int(), alarms_per_100_resources: known });

const scorecardSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS.scorecard),
  experiment: experimentRecordSchema,
  games: gamesSchema,
  errors: z.array(z.string()),
  score: rate,
  overall: totalSchema,
  languages: z.array(totalSchema.extend({ language: z.string() })),
  difficulties: z.array(totalSchema.extend({ difficulty: z.string() })),
  categories: z.array(rowSchema.extend({ category: z.string() })),
}) satisfies z.ZodType<Scorecard>;

const estimateSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS['experiment-estimate']),
  name: z.string(),
  games: z.int(),
  codes: z.int(),
  model_calls: z.int(),
  cost_usd: known,
  seconds: known,
  teams: z.array(
    z.object({
      team: z.enum(['red', 'blue', 'judge']),
      name: z.string(),
      times: z.int(),
      model_calls: z.int(),
      cost_usd: known,
    }),
  ),
}) satisfies z.ZodType<ExperimentEstimate>;

/** What commands about experiments print with `--json`. */
export const EXPERIMENT_DOCUMENTS = {
  'experiment-results': resultsSchema,
  'experiment-estimate': estimateSchema,
  'experiment-list': z.object({
    version: z.literal(DOCUMENT_VERSIONS['experiment-list']),
    experiments: z.array(experimentRecordSchema),
  }),
  scorecard: scorecardSchema,
};
