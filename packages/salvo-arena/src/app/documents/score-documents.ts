import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import { MATCHER_NAMES } from '../../match/candidates/matcher.ts';
import { gateOutcomeSchema } from '../../match/results/score-gate.ts';
import type { ScoreResultsDict } from '../../match/results/score-results-to-dict.ts';
import type { scoreDocument } from '../../report/score/score-sheet.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

const indices = z.array(z.int());
const known = z.number().nullable();
const pairShape = {
  vulnerability_id: z.string(),
  vulnerability_index: z.int(),
  finding_index: z.int(),
  score: z.number(),
};
const explainedShape = {
  ...pairShape,
  factors: z.array(z.object({ name: z.string(), points: z.number(), most: z.number(), reason: z.string() })),
  explanation: z.string(),
};
const interval = z.object({ low: z.number(), high: z.number() }).nullable();
const breakdown = z.record(z.string(), z.object({ vulnerabilities: z.int(), found: z.int(), recall: z.number() }));

const anchorsSchema = z.object({
  corroborated: indices.nullable(),
  corroboration_rate: known,
  supported_alarms: indices.nullable(),
  adjusted_precision: known,
  manifest_accuracy: known,
  phantoms: z.array(z.string()).nullable(),
  adjusted_recall: known,
  phantom_concordance: known,
  true_negatives: known,
  false_positive_rate: known,
  youden_j: known,
});

const modelsSchema = z.object({
  asked: z.int(),
  undecided: z.int(),
  left_out: z.int(),
  decisions: z.array(
    z.object({
      ...pairShape,
      same: z.boolean().nullable(),
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
    }),
  ),
  kappas: z.array(z.object({ models: z.tuple([z.string(), z.string()]), kappa: known })),
  calls: z.int(),
  cached_votes: z.int(),
  input_tokens: known,
  output_tokens: known,
  cost_usd: known,
  cost_at_least: atLeastSchema.optional(),
});

/** The scores of one Blue against one manifest. */
export const scoreResultsSchema = z.object({
  true_positives: z.int(),
  false_positives: z.int(),
  false_negatives: z.int(),
  precision: z.number(),
  recall: z.number(),
  f1_score: z.number(),
  evasion_rate: z.number(),
  matches: z.array(z.object({ ...explainedShape, match_type: z.enum(['exact', 'partial']) })),
  evaded: z.array(z.string()),
  false_alarms: indices,
  empty: z.boolean(),
  evaded_indices: indices,
  near_misses: z.array(z.object({ ...explainedShape, reason: z.enum(['below_threshold', 'taken', 'in_twin']) })),
  duplicates: z.array(z.object(explainedShape)),
  precision_without_duplicates: z.number(),
  consequences: z.array(
    z.object({ finding_index: z.int(), vulnerability_id: z.string(), vulnerability_index: z.int(), why: z.string() }),
  ),
  present_before: indices,
  in_twin: indices.nullable(),
  false_alarms_by_twin: indices.nullable(),
  clean_alarms: indices.nullable(),
  precision_by_twin: known,
  f1_by_twin: known,
  precision_used: z.enum(['twin', 'classic']),
  f2_score: z.number(),
  f05_score: z.number(),
  severity_weighted_recall: z.number(),
  breakdowns: z.object({ category: breakdown, severity: breakdown, difficulty: breakdown, technique: breakdown }),
  intervals: z.object({
    precision: interval,
    recall: interval,
    evasion_rate: interval,
    precision_by_twin: interval,
  }),
  anchors: anchorsSchema.nullable(),
  models: modelsSchema.nullable(),
}) satisfies z.ZodType<ScoreResultsDict>;

const blueSchema = scoreResultsSchema.extend({
  blue: z.string(),
  name: z.string(),
  gate: gateOutcomeSchema,
  not_judged: z.object({
    checks: z.array(z.object({ rule_id: z.string(), resource: z.string().nullable() })),
    vulnerability_ids: z.array(z.string().nullable()),
  }),
});

const headShape = {
  version: z.literal(DOCUMENT_VERSIONS.score),
  red: z.string(),
  matcher: z.enum(MATCHER_NAMES),
  match_threshold: z.number(),
  exact_threshold: z.number(),
};

/** What `salvo score --json` prints: one Blue's scores at the top level, or several with what each caught. */
export const scoreDocumentSchema = z.union([
  z.object({ ...headShape, ...blueSchema.shape }),
  z.object({
    ...headShape,
    blues: z.array(blueSchema),
    caught: z.array(z.object({ vulnerability_id: z.string(), by: z.array(z.string()) })),
  }),
]) satisfies z.ZodType<ReturnType<typeof scoreDocument>>;
