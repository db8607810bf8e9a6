import type { z } from 'zod';
import type { JsonSchemaDocument } from '../../scenario/schema/editor-schema.ts';

/** Documents of a package that `salvo schema` describes. */
export interface DocumentsDoor {
  /** What its commands print with `--json`, by kind. */
  printed: Readonly<Record<string, { version: number; schema: () => Promise<z.ZodType> }>>;
  /** Files that it reads, by format. */
  files: Readonly<Record<string, () => Promise<JsonSchemaDocument>>>;
}

declare module '../../extension/extension.ts' {
  interface Doors {
    documents: DocumentsDoor;
  }
}
