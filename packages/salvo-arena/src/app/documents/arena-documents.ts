import { atLeastSchema } from 'salvo/kit/trace';
import { z } from 'zod';
import { writtenRuleSchema } from '../../blue/rules/rules.ts';
import type { ToolStatus } from '../../blue/scanners/check-tools.ts';
import { gameSchema } from '../../game/game-document.ts';
import { findingSchema } from '../../match/claims/finding.ts';
import { SEVERITIES } from '../../match/claims/severity.ts';
import { vulnerabilitySchema } from '../../match/claims/vulnerability.ts';
import type { GateOutcome } from '../../match/results/score-gate.ts';
import type { gameResult } from '../../report/game/game-report.ts';
import { FAIL_ON, type ScanSheet } from '../../report/scan/scan-sheet.ts';
import { DIFFICULTIES, LANGUAGES, STRATEGIES } from '../../tasks/game-settings.ts';
import { taskSchema } from '../../tasks/tasks.ts';
import type { RedDelivery } from '../games/play-red.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';
import { gateSchema, scoreDocumentSchema, scoreResultsSchema } from './score-documents.ts';

const language = z.enum(LANGUAGES);
const costShape = { cost_usd: z.number().nullable(), cost_at_least: atLeastSchema.optional() };

const scanSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS.scan),
  blue: z.string(),
  paths: z.array(z.string()),
  files: z.int(),
  fail_on: z.enum(FAIL_ON),
  status: z.enum(['passed', 'failed', 'unscored', 'unreadable']),
  message: z.string().nullable(),
  severities: z.record(z.enum(SEVERITIES), z.int()),
  findings: z.array(findingSchema).nullable(),
  ignored: z.int(),
  not_covered: z
    .array(
      z.object({
        what: z.string(),
        kind: z.enum(['provider', 'language', 'module']),
        count: z.int(),
        files: z.array(z.string()),
      }),
    )
    .nullable(),
  problems: z.array(z.object({ file: z.string(), line: z.int(), column: z.int(), message: z.string() })),
  skipped: z.array(z.object({ file: z.string(), reason: z.string() })),
  ...costShape,
}) satisfies z.ZodType<ScanSheet>;

const redSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS.red),
  task: z.string(),
  difficulty: z.enum(DIFFICULTIES),
  language,
  seed: z.int(),
  strategy: z.enum(STRATEGIES),
  red: z.string(),
  template: z.string().nullable(),
  files: z.int(),
  twin_files: z.int(),
  claimed: z.int(),
  confirmed: z.int(),
  phantoms: z.int(),
  unchecked: z.int(),
  ...costShape,
}) satisfies z.ZodType<RedDelivery>;

const toolSchema = z.object({
  name: z.string(),
  available: z.boolean(),
  version: z.string().nullable(),
  path: z.string().nullable(),
  path_variable: z.string(),
  languages: z.array(language),
  missing: z.string().nullable(),
  lacks: z.array(z.string()),
}) satisfies z.ZodType<ToolStatus>;

/** What commands about infrastructure code print with `--json`. */
export const ARENA_DOCUMENTS = {
  score: scoreDocumentSchema,
  scan: scanSchema,
  red: redSchema,
  blue: z.object({ version: z.literal(DOCUMENT_VERSIONS.blue), findings: z.array(findingSchema) }),
  game: gameSchema.extend({
    version: z.literal(DOCUMENT_VERSIONS.game),
    winner: z.enum(['red', 'blue', 'draw']).nullable(),
    reason: z.string(),
    /** The vulnerabilities that were scored, and those that were not, each with the reason. */
    scored: z.array(vulnerabilitySchema),
    not_scored: z.array(
      z.object({
        status: z.enum(['confirmed', 'phantom', 'unchecked']),
        checks: z.array(
          z.object({
            check: z.enum(['parses', 'resource', 'attribute', 'evidence', 'rule']),
            outcome: z.enum(['passed', 'failed', 'unchecked']),
            reason: z.string(),
          }),
        ),
        vulnerability: vulnerabilitySchema,
      }),
    ),
    findings: z.array(findingSchema).nullable(),
    twin_findings: z.array(findingSchema).nullable(),
    dropped: z.array(z.object({ reason: z.string(), count: z.int() })).nullable(),
    results: scoreResultsSchema.nullable(),
    gate: gateSchema,
  }) satisfies z.ZodType<ReturnType<typeof gameResult> & { gate: GateOutcome }>,
  tasks: z.object({ version: z.literal(DOCUMENT_VERSIONS.tasks), tasks: z.array(taskSchema) }),
  rules: z.object({
    version: z.literal(DOCUMENT_VERSIONS.rules),
    rules: z.array(
      writtenRuleSchema.extend({ category: z.string(), severity: z.enum(SEVERITIES), cwe: z.array(z.int()) }),
    ),
  }),
  tools: z.object({ version: z.literal(DOCUMENT_VERSIONS.tools), tools: z.array(toolSchema) }),
};
