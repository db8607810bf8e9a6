import { projectJsonSchema, scenarioJsonSchema } from '../scenario/editor-schema.ts';
import type { Terminal } from './terminal.ts';
import { writeWholeFile } from './write-file.ts';

export interface SchemaCommandOptions {
  which: 'scenario' | 'project';
  out?: string | undefined;
}

export async function schemaCommand({ which, out }: SchemaCommandOptions, terminal: Terminal): Promise<number> {
  const schema = which === 'scenario' ? scenarioJsonSchema() : projectJsonSchema();
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (out === undefined) terminal.stdout.write(text);
  else await writeWholeFile(out, terminal, (write) => write(text));
  return 0;
}
