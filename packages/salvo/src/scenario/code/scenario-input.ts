import type { z } from 'zod';
import type { ASSERTION_SCHEMAS, BuiltInAssertionType, shorthandSchema } from '../schema/assertion-schema.ts';
import type { scenarioFieldsSchema, writtenDataSchema } from '../schema/scenario-schema.ts';

type BuiltInAssertionInput = {
  [T in BuiltInAssertionType]: z.input<(typeof ASSERTION_SCHEMAS)[T]>;
}[BuiltInAssertionType];

/** A built-in assertion, its shorthand, or one of a type added with `registerEvaluator`. */
export type AssertionInput =
  | BuiltInAssertionInput
  | z.input<typeof shorthandSchema>
  | { type: string; [field: string]: unknown };

/** A scenario with the fields of a scenario file, before defaults are filled in. */
export type ScenarioInput = Omit<z.input<typeof scenarioFieldsSchema>, 'assertions' | 'data'> & {
  assertions?: AssertionInput[] | undefined;
  data?: z.input<typeof writtenDataSchema>;
};
