import { z } from 'zod';
import { writtenRuleSchema } from '../../blue/rules/rules.ts';
import { toolStatusSchema } from '../../blue/scanners/check-tools.ts';
import { experimentRecordSchema } from '../../experiment/experiment-record.ts';
import { experimentEstimateSchema } from '../../experiment/plan/estimate-experiment.ts';
import { experimentResultsSchema, scorecardSchema } from '../../experiment/results/experiment-results.ts';
import { gameSchema } from '../../game/game-document.ts';
import { gateEntrySchema } from '../../gate/gate-result.ts';
import { MATCHER_NAMES } from '../../match/candidates/matcher.ts';
import { findingSchema } from '../../match/claims/finding.ts';
import { SEVERITIES } from '../../match/claims/severity.ts';
import { vulnerabilitySchema } from '../../match/claims/vulnerability.ts';
import { type GateOutcome, gateOutcomeSchema } from '../../match/results/score-gate.ts';
import { scoreResultsSchema } from '../../match/results/score-results.ts';
import { templateUseSchema } from '../../red/mutation/own/own-code-use.ts';
import type { gameResult } from '../../report/game/game-report.ts';
import { scanSheetSchema } from '../../report/scan/scan-sheet.ts';
import type { scoreDocument } from '../../report/score/score-sheet.ts';
import { taskSchema } from '../../tasks/tasks.ts';
import { redDeliverySchema } from '../games/play-red.ts';
import { DOCUMENT_VERSIONS, type DocumentKind } from './document-kinds.ts';

const blueSchema = scoreResultsSchema.extend({
  blue: z.string(),
  name: z.string(),
  gate: gateOutcomeSchema,
  /** Of the precision that decides and recall, which counts `beta` times as much. */
  f_beta: z.number().nullable().default(null),
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
  keys: z.enum(['different', 'same']).optional(),
  beta: z.number().default(1),
};

/** What `salvo score --json` prints: one Blue's scores at the top level, or several with what each caught. */
const scoreDocumentSchema = z.union([
  z.object({ ...headShape, ...blueSchema.shape }),
  z.object({
    ...headShape,
    blues: z.array(blueSchema),
    caught: z.array(z.object({ vulnerability_id: z.string(), by: z.array(z.string()) })),
  }),
]) satisfies z.ZodType<ReturnType<typeof scoreDocument>>;

const gameResultSchema = gameSchema.extend({
  winner: z.enum(['red', 'blue', 'draw']).nullable(),
  reason: z.string(),
  /** The vulnerabilities that were scored, and those that were not, each with the reason. */
  scored: z.array(vulnerabilitySchema),
  not_scored: z.array(gateEntrySchema),
  findings: z.array(findingSchema).nullable(),
  twin_findings: z.array(findingSchema).nullable(),
  dropped: z.array(z.object({ reason: z.string(), count: z.int() })).nullable(),
  results: scoreResultsSchema.nullable(),
  gate: gateOutcomeSchema,
}) satisfies z.ZodType<ReturnType<typeof gameResult> & { gate: GateOutcome }>;

const ruleSchema = writtenRuleSchema.extend({
  category: z.string(),
  severity: z.enum(SEVERITIES),
  cwe: z.array(z.int()),
});

/** What commands print with `--json`. */
export const ARENA_DOCUMENTS: Record<DocumentKind, z.ZodType> = {
  score: scoreDocumentSchema,
  scan: printed('scan', scanSheetSchema.shape),
  red: printed('red', redDeliverySchema.shape),
  blue: printed('blue', { findings: z.array(findingSchema) }),
  game: printed('game', gameResultSchema.shape),
  tasks: printed('tasks', { tasks: z.array(taskSchema) }),
  rules: printed('rules', { rules: z.array(ruleSchema) }),
  tools: printed('tools', { tools: z.array(toolStatusSchema) }),
  'experiment-results': printed('experiment-results', experimentResultsSchema.shape),
  'experiment-estimate': printed('experiment-estimate', experimentEstimateSchema.shape),
  'experiment-list': printed('experiment-list', { experiments: z.array(experimentRecordSchema) }),
  scorecard: printed('scorecard', scorecardSchema.shape),
  'template-use': printed('template-use', templateUseSchema.shape),
};

function printed(kind: DocumentKind, fields: z.ZodRawShape): z.ZodType {
  return z.object({ version: z.literal(DOCUMENT_VERSIONS[kind]), ...fields });
}
