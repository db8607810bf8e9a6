import { isDocumentKind } from '../../app/documents/document-kinds.ts';
import { isFileFormat } from '../../app/project/file-formats.ts';
import { openDoors } from '../../extension/load-extension.ts';
import type { JsonSchemaDocument } from '../../scenario/schema/editor-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
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

async function schemaOf(which: string, terminal: Terminal): Promise<JsonSchemaDocument> {
  const { documentJsonSchema, printedSchema } = await import('../../app/documents/document-schemas.ts');
  if (isDocumentKind(which)) return await documentJsonSchema(which);
  if (isFileFormat(which))
    return await (await import('../../app/project/project-files.ts')).fileSchema(which, terminal);
  for (const { printed, files } of await openDoors('documents')) {
    const document = printed[which];
    if (document) return printedSchema(which, await document.schema());
    const file = await files[which]?.();
    if (file) return file;
  }
  throw new SalvoError('OPTIONS_INVALID', `There is no schema "${which}": \`salvo schema --help\` lists all.`);
}
