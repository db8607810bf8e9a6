import { z } from 'zod';
import { MATCHER_NAMES } from '../../match/candidates/matcher.ts';
import { gateOutcomeSchema } from '../../match/results/score-gate.ts';
import { scoreResultsSchema } from '../../match/results/score-results.ts';
import type { scoreDocument } from '../../report/score/score-sheet.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

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
