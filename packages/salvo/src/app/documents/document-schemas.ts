import { z } from 'zod';
import type { JsonSchemaDocument } from '../../scenario/schema/editor-schema.ts';
import type { DocumentKind } from './document-kinds.ts';

/**
 * The schema of a document that a command prints with `--json`. Loaded only by those who check or describe one.
 *
 * @internal Exported for its tests.
 */
export async function documentSchema(kind: DocumentKind): Promise<z.ZodType> {
  switch (kind) {
    case 'run':
    case 'compare':
    case 'history':
    case 'estimate':
    case 'plan':
    case 'reeval':
    case 'trace':
      return (await import('./run-documents.ts')).RUN_DOCUMENTS[kind];
    case 'calibrate':
    case 'calibrate-forget':
    case 'judge-check':
      return (await import('./judge-documents.ts')).JUDGE_DOCUMENTS[kind];
    case 'adapters':
    case 'validate':
    case 'db-status':
    case 'db-migrate':
    case 'db-import':
    case 'db-prune':
      return (await import('./project-documents.ts')).PROJECT_DOCUMENTS[kind];
  }
}

/** The JSON Schema of what this version of Salvo prints: it has no other fields. */
export async function documentJsonSchema(kind: DocumentKind): Promise<JsonSchemaDocument> {
  return printedSchema(kind, await documentSchema(kind));
}

export function printedSchema(name: string, schema: z.ZodType): JsonSchemaDocument {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'output', unrepresentable: 'any' });
  return { $schema, title: `Salvo ${name}, a JSON document`, ...rest };
}
