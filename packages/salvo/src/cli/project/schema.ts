import { isDocumentKind } from '../../app/documents/document-kinds.ts';
import type { JsonSchemaDocument } from '../../scenario/schema/editor-schema.ts';
import { harmlessJson } from '../../text/output/plain-text.ts';
import type { SchemaCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeWholeFile } from '../terminal/write-file.ts';

/** `salvo schema` */
export async function schemaCommand({ which, out }: SchemaCommandOptions, terminal: Terminal): Promise<number> {
  const text = `${harmlessJson(await schemaOf(which, terminal), 2)}\n`;
  if (out === undefined) terminal.stdout.write(text);
  else await writeWholeFile(out, terminal, (write) => write(text));
  return 0;
}

async function schemaOf(which: SchemaCommandOptions['which'], terminal: Terminal): Promise<JsonSchemaDocument> {
  if (isDocumentKind(which)) {
    return await (await import('../../app/documents/document-schemas.ts')).documentJsonSchema(which);
  }
  return await (await import('../../app/project/project-files.ts')).fileSchema(which, terminal);
}
