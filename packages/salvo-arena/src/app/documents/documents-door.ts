import type { DocumentsDoor } from 'salvo/kit/app';
import { editorSchema, jsonFileSchema } from 'salvo/kit/scenario';
import { z } from 'zod';
import { DOCUMENT_VERSIONS } from './document-kinds.ts';

export const documentsDoor: DocumentsDoor = {
  printed: Object.fromEntries(
    Object.entries(DOCUMENT_VERSIONS).map(([kind, version]) => [kind, { version, schema: () => schemaOf(kind) }]),
  ),
  files: {
    experiment: async () =>
      editorSchema((await import('../../experiment/plan/experiment-schema.ts')).experimentSchema, 'Salvo experiment'),
    manifest: async () => {
      const { vulnerabilitySchema } = await import('../../match/claims/vulnerability.ts');
      return jsonFileSchema(listOrMap('vulnerabilities', vulnerabilitySchema), 'Salvo manifest');
    },
    findings: async () => {
      const { findingSchema } = await import('../../match/claims/finding.ts');
      return jsonFileSchema(listOrMap('findings', findingSchema), 'Salvo findings');
    },
  },
};

/** The schema of a document that a command prints with `--json`. */
export async function schemaOf(kind: string): Promise<z.ZodType> {
  const all: Readonly<Record<string, z.ZodType>> = (await import('./arena-documents.ts')).ARENA_DOCUMENTS;
  const schema = all[kind];
  if (schema === undefined) throw new Error(`The document ${kind} has no schema.`);
  return schema;
}

function listOrMap(key: string, entry: z.ZodType): z.ZodType {
  return z.union([z.looseObject({ [key]: z.array(entry) }), z.array(entry)]);
}
