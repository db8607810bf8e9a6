import type { z } from 'zod';
import { errorMessage, SalvoError } from '../../text/errors/salvo-error.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { type Path, pathText } from '../diagnostics/located-value.ts';
import type { Assertion } from '../schema/assertion-schema.ts';
import { anyAssertionSchema, assertionTypeSchema } from '../schema/assertion-types.ts';
import { type Scenario, scenarioFieldsSchema } from '../schema/scenario-schema.ts';
import type { Tool } from '../schema/tool-schema.ts';
import { type CaseFields, caseFields, rowAssertions } from './case-fields.ts';
import { compileTemplate, type DataRow, type Template } from './template.ts';
import { isLeftOut, renderAssertion, renderField, TEMPLATED_FIELDS } from './templated-fields.ts';

/** The cases of a scenario: one for each row of its data, or just one if it has no data. */
export interface ScenarioCases {
  count: number;
  /** Null for a scenario without data. */
  fieldsOf(index: number): CaseFields | null;
  rowOf(index: number): DataRow | null;
  /** The position of the case with this name; -1 if there is none. */
  indexOf(name: string | null): number;
  /** Made when it is needed, and not kept. Throws `CASE_INVALID` if a value of the row does not fit. */
  scenarioOf(index: number): Scenario;
}

/** Ids for assertions, so that they are the same in all cases. */
export interface AssertionNames {
  /** Of those of the scenario, by their position. */
  common: readonly string[];
  /** Of those of a row. */
  ofRow(own: readonly Assertion[]): readonly string[];
}

/** Without names, assertions keep the ids that they were given. */
export function scenarioCases(scenario: Scenario, names?: AssertionNames): ScenarioCases {
  const { data } = scenario;
  if (data === undefined) {
    return {
      count: 1,
      fieldsOf: () => null,
      rowOf: () => null,
      indexOf: (name) => (name === null ? 0 : -1),
      scenarioOf: () => scenario,
    };
  }
  const { fields, hasTemplatedTools, assertions } = compile(scenario);
  let positions: Map<string, number> | null = null;
  let parameters: Tool['parameters'][] | null = null;
  /** The same objects in all cases, because a JSON Schema is compiled once for each object. */
  function withSharedParameters(tools: Tool[]): Tool[] {
    const shared = parameters ?? tools.map((tool) => tool.parameters);
    parameters = shared;
    return tools.map((tool, index) => ({ ...tool, parameters: shared[index] ?? tool.parameters }));
  }
  return {
    count: data.length,
    fieldsOf: (index) => caseFields(data[index] ?? {}, index),
    rowOf: (index) => data[index] ?? null,
    indexOf(name) {
      positions ??= new Map(data.map((row, index) => [caseFields(row, index).name, index]));
      return (name === null ? undefined : positions.get(name)) ?? -1;
    },
    scenarioOf(index) {
      const row = data[index] ?? {};
      const { name, threshold } = caseFields(row, index);
      const { data: _, ...common } = scenario;
      try {
        const values = fields(row);
        return {
          ...common,
          ...values,
          tools: hasTemplatedTools ? withSharedParameters(values.tools) : scenario.tools,
          threshold: threshold ?? scenario.threshold,
          assertions: [...assertions(row, names?.common), ...ownAssertions(row, names)],
        };
      } catch (cause) {
        const message = `The row of the case "${name}" gives no valid scenario: ${errorMessage(cause)}.`;
        throw new SalvoError('CASE_INVALID', message, { cause });
      }
    },
  };
}

function withId(assertion: Assertion, id: string | undefined): Assertion {
  return id === undefined ? assertion : { ...assertion, id };
}

const templatedSchema = scenarioFieldsSchema.pick({
  prompt: true,
  files: true,
  system_prompt: true,
  messages: true,
  state: true,
  user: true,
  tools: true,
  tags: true,
  script: true,
  workspace: true,
  services: true,
});

function compile(scenario: Scenario) {
  const fields = TEMPLATED_FIELDS.flatMap((field) => {
    const template = compileTemplate(scenario[field]);
    return template ? [{ field, template }] : [];
  });
  return {
    /** The fields with templates, for a row. */
    fields(row: DataRow): z.infer<typeof templatedSchema> {
      const plain = Object.fromEntries(fields.map(({ field, template }) => [field, template.render(row)]));
      const { data } = templatedSchema.safeParse(plain);
      if (data) return data;
      const fitting = fields.map(({ field, template }) => [field, renderField(field, template, row)]);
      return parsed(templatedSchema, Object.fromEntries(fitting));
    },
    hasTemplatedTools: fields.some(({ field }) => field === 'tools'),
    assertions: compileAssertions(scenario.assertions, ['assertions']),
  };
}

type RenderAssertions = (row: DataRow, ids?: readonly string[]) => Assertion[];

function compileAssertions(list: readonly Assertion[], path: Path): RenderAssertions {
  const compiled = list.map((assertion) => ({ assertion, template: compileTemplate(assertion) }));
  return (row, ids = []) =>
    compiled.flatMap(({ assertion, template }, index) => {
      if (!template) return [withId(assertion, ids[index])];
      if (isLeftOut(template, row)) return [];
      return [withId(parsedAssertion(template, row, [...path, index]), ids[index])];
    });
}

function ownAssertions(row: DataRow, names: AssertionNames | undefined): Assertion[] {
  const own = rowAssertions(row);
  if (own.length === 0) return own;
  return compileAssertions(own, ['data', 'assertions'])(row, names?.ofRow(own));
}

function parsedAssertion(template: Template, row: DataRow, path: Path): Assertion {
  const rendered = renderAssertion(template, row);
  const type = isRecord(rendered) && typeof rendered.type === 'string' ? rendered.type : '';
  const schema = assertionTypeSchema(type);
  return anyAssertionSchema.parse(schema ? parsed(schema, rendered, path) : rendered);
}

function parsed<T>(schema: z.ZodType<T>, value: unknown, place: Path = []): T {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  const [issue] = error.issues;
  const path = [...place, ...(issue?.path ?? [])].map((step) => (typeof step === 'number' ? step : String(step)));
  throw new SalvoError('CASE_INVALID', `${pathText(path)}: ${issue?.message ?? 'a wrong value'}`);
}
