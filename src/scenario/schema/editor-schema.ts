import { z } from 'zod';
import { shorthandSchema } from './assertion-shorthand.ts';
import { allAssertionTypes } from './assertion-types.ts';
import { withIncludes } from './includable-schema.ts';
import { projectSchema } from './project-schema.ts';
import { scenarioFieldsSchema } from './scenario-schema.ts';

export type JsonSchemaDocument = Record<string, unknown>;

/** The JSON Schema of scenario files, for editors: from the same schemas that `salvo validate` checks with. */
export function scenarioJsonSchema(): JsonSchemaDocument {
  const { description } = scenarioFieldsSchema.shape.assertions;
  const assertion = z.union([...allAssertionTypes().values(), shorthandSchema]);
  const schema = scenarioFieldsSchema.extend({
    assertions: z
      .array(assertion)
      .default([])
      .describe(description ?? ''),
  });
  return editorSchema(schema, 'Salvo scenario');
}

/** The JSON Schema of salvo.yaml. */
export function projectJsonSchema(): JsonSchemaDocument {
  return editorSchema(projectSchema, 'Salvo project (salvo.yaml)');
}

/** draft-07, which yaml-language-server and with it most editors understand best. */
export function editorSchema(schema: z.ZodType, title: string): JsonSchemaDocument {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  return { $schema, title, ...withIncludes(rest) };
}
