import { fileSchema } from '../../app/project/project-files.ts';
import { harmlessJson } from '../../text/output/plain-text.ts';
import type { SchemaCommandOptions } from '../program/command-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { writeWholeFile } from '../terminal/write-file.ts';

/** `salvo schema` */
export async function schemaCommand({ which, out }: SchemaCommandOptions, terminal: Terminal): Promise<number> {
  const text = `${harmlessJson(await fileSchema(which, terminal), 2)}\n`;
  if (out === undefined) terminal.stdout.write(text);
  else await writeWholeFile(out, terminal, (write) => write(text));
  return 0;
}
