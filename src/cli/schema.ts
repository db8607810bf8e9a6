import { inspectProject } from '../scenario/load-project.ts';
import {
  editorSchema,
  type JsonSchemaDocument,
  projectJsonSchema,
  scenarioJsonSchema,
} from '../scenario/schema/editor-schema.ts';
import type { SchemaCommandOptions } from './program/command-options.ts';
import type { Terminal } from './terminal/terminal.ts';
import { writeWholeFile } from './terminal/write-file.ts';

export async function schemaCommand({ which, out }: SchemaCommandOptions, terminal: Terminal): Promise<number> {
  const schema = await schemaOf(which, terminal.cwd);
  const text = `${JSON.stringify(schema, null, 2)}\n`;
  if (out === undefined) terminal.stdout.write(text);
  else await writeWholeFile(out, terminal, (write) => write(text));
  return 0;
}

async function schemaOf(which: SchemaCommandOptions['which'], cwd: string): Promise<JsonSchemaDocument> {
  if (which === 'scenario') {
    // Loads the project's plugins, whose assertion types are part of the schema. `validate` reports errors.
    await inspectProject(cwd);
    return scenarioJsonSchema();
  }
  if (which === 'project') return projectJsonSchema();
  const { experimentSchema } = await import('../arena/experiment/plan/experiment-schema.ts');
  return editorSchema(experimentSchema, 'Salvo experiment');
}
