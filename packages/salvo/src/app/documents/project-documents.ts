import { z } from 'zod';
import type { AdapterList } from '../../report/adapters-report.ts';
import type { ImportedStore } from '../../store/store.ts';
import type { SnakeCase } from '../../text/snake-case.ts';
import type { StoreStatus } from '../results/tend-store.ts';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

const adaptersSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS.adapters),
  default_adapter: z.string(),
  judge: z.object({ adapter: z.string(), model: z.string(), k: z.int(), mode: z.enum(['chat', 'decide']).optional() }),
  /** Models that are used by default, and that their provider shuts down. */
  ending_models: z.array(z.object({ model: z.string(), on: z.string(), instead: z.string() })).optional(),
  adapters: z.array(
    z.object({
      name: z.string(),
      /** The type of an adapter of Salvo, or `registered` for one that a plugin brings. */
      type: z.string(),
      status: z.enum(['ready', 'missing_key', 'missing_package', 'missing_file']),
      detail: z.string(),
    }),
  ),
}) satisfies z.ZodType<Omit<AdapterList, 'adapters'>>;

const diagnosticSchema = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  file: z.string(),
  line: z.int(),
  column: z.int(),
  end_column: z.int().optional(),
  source_line: z.string().optional(),
  hint: z.string().optional(),
});

const workSchema = z.object({ kind: z.enum(['run', 'experiment']), id: z.string() });

const statusSchema = z.object({
  version: z.literal(DOCUMENT_VERSIONS['db-status']),
  server: z.string(),
  place: z.string(),
  schema_version: z.int(),
  bytes: z.number(),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), bytes: z.number().nullable() })),
  under_way: z.array(workSchema),
  work: z
    .object({
      orders: z.array(
        z.object({
          work: workSchema,
          salvo_version: z.string(),
          has_coordinator: z.boolean(),
          waiting: z.int(),
          active: z.int(),
          failed: z.int(),
        }),
      ),
      workers: z.array(
        z.object({
          worker_id: z.string(),
          host: z.string(),
          pid: z.int(),
          salvo_version: z.string(),
          labels: z.array(z.string()),
          concurrency: z.int(),
          allowed_code: z.union([z.literal('all'), z.array(z.string())]),
          idle_s: z.number(),
        }),
      ),
    })
    .nullable(),
}) satisfies z.ZodType<StoreStatus>;

const importCountSchema = z.object({
  imported: z.int(),
  present: z.int(),
  under_way: z.int(),
  unreadable: z.array(z.string()),
});

const importedFields = z.object({
  version: z.literal(DOCUMENT_VERSIONS['db-import']),
  labels: z.int(),
  calibrations: z.int(),
  /** Missing in documents of earlier versions. */
  comparisons: z.int().optional(),
  unreadable: z.array(z.string()),
  place: z.string(),
  is_interrupted: z.boolean(),
}) satisfies z.ZodType<Omit<SnakeCase<ImportedStore>, 'work' | 'comparisons'>>;

/** Runs, and each kind of work that a package brings, under its plural. */
const importedSchema = importedFields.extend({ runs: importCountSchema }).catchall(importCountSchema);

const prunedSchema = z
  .object({
    version: z.literal(DOCUMENT_VERSIONS['db-prune']),
    runs: z.array(z.string()),
    kept: z.string().nullable(),
    removed: z.record(z.string(), z.int()),
  })
  .catchall(z.array(z.string()));

/** What commands about a project and its store print with `--json`. */
export const PROJECT_DOCUMENTS = {
  adapters: adaptersSchema,
  validate: z.object({
    version: z.literal(DOCUMENT_VERSIONS.validate),
    files: z.int(),
    code: z.int().optional().describe('How many assertions have JavaScript, which a run executes.'),
    errors: z.int(),
    warnings: z.int(),
    diagnostics: z.array(diagnosticSchema),
  }),
  'db-status': statusSchema,
  'db-migrate': z.object({ version: z.literal(DOCUMENT_VERSIONS['db-migrate']), place: z.string() }),
  'db-import': importedSchema,
  'db-prune': prunedSchema,
};
