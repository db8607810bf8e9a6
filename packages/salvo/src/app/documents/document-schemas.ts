import { z } from 'zod';
import type { JsonSchemaDocument } from '../../scenario/schema/editor-schema.ts';
import type { DocumentKind } from './document-kinds.ts';

/**
 * The schema of a document that a command prints with `--json`. Loaded only by those who check or describe one.
 *
 * @internal Exported for its tests.
 */
export async function documentSchema(kind: DocumentKind): Promise<z.ZodType> {
  const { RUN_DOCUMENTS } = await import('./run-documents.ts');
  const { PROJECT_DOCUMENTS } = await import('./project-documents.ts');
  const schemas: Record<DocumentKind, z.ZodType> = { ...RUN_DOCUMENTS, ...PROJECT_DOCUMENTS };
  return schemas[kind];
}

/** The JSON Schema of what this version of Salvo prints: it has no other fields. */
export async function documentJsonSchema(kind: DocumentKind): Promise<JsonSchemaDocument> {
  return printedSchema(kind, await documentSchema(kind));
}

export function printedSchema(name: string, schema: z.ZodType): JsonSchemaDocument {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'output', unrepresentable: 'any' });
  return { $schema, title: `Salvo ${name}, a JSON document`, ...rest };
}
