import { hash } from 'node:crypto';
import { z } from 'zod';
import { errorMessage } from '../../text/errors/salvo-error.ts';
import { isFunction, isRecord } from '../../text/json/is-record.ts';
import { announceRows } from '../../text/modules/process-work.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import type { Scenario } from '../schema/scenario-schema.ts';
import { jsonValue } from './json-value.ts';
import type { AgentOfScenario, CheckFunction, ToolFunction } from './scenario-definition.ts';
import type { ScenarioFunctions } from './scenario-functions.ts';

export interface SplitScenario {
  /** What can be stored. A function is represented by a hash of its source text. */
  document: unknown;
  functions: ScenarioFunctions;
  /** Hashes of the functions that no field of a scenario file corresponds to. */
  hashes: NonNullable<Scenario['functions']>;
  problems: Problem[];
}

const HOOKS = ['setup', 'teardown', 'setupTrial', 'teardownTrial'] as const;

/** Takes the functions out of a scenario in code, so that the rest can be checked as a file would be. */
export function splitFunctions(value: unknown): SplitScenario {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const mocks = new Map<number, Map<number, ToolFunction>>();
  const checks = new Map<string, CheckFunction>();
  const functions = { agent: null, mocks, checks, hooks: {} };
  if (!isRecord(value)) return { document: jsonValue(value, { path: [], report }), functions, hashes: {}, problems };

  const { agent, setup, teardown, setupTrial, teardownTrial, tools, assertions, ...fields } = value;
  const code = Object.entries({ agent, setup, teardown, setupTrial, teardownTrial }).flatMap(([name, given]) => {
    if (given === undefined) return [];
    if (isFunction(given)) return [{ name, given }];
    report({ code: 'wrong-type', message: `"${name}" should be a function`, path: [name] });
    return [];
  });
  if (agent !== undefined && fields.adapter !== undefined) {
    report({ code: 'conflicting-keys', message: 'a scenario has either an agent or an adapter', path: ['agent'] });
  }
  if (Array.isArray(fields.data)) announceRows(fields.data.length);
  const document = {
    ...plain(jsonValue(fields, { path: [], report })),
    ...(tools !== undefined && { tools: list(tools, (tool, index) => splitTool(tool, index)) }),
    ...(assertions !== undefined && { assertions: list(assertions, splitAssertion) }),
  };
  return {
    document,
    functions: {
      agent: isFunction<AgentOfScenario>(agent) ? agent : null,
      mocks,
      checks,
      hooks: Object.fromEntries(
        code.filter(({ name }) => HOOKS.some((hook) => hook === name)).map(({ name, given }) => [name, given]),
      ),
    },
    hashes: Object.fromEntries(code.map(({ name, given }) => [name, functionHash(given)])),
    problems,
  };

  function list(given: unknown, split: (entry: unknown, index: number) => unknown): unknown {
    return Array.isArray(given) ? given.map(split) : given;
  }

  function splitTool(tool: unknown, index: number): unknown {
    const path = ['tools', index];
    if (!isRecord(tool)) return jsonValue(tool, { path, report });
    const { parameters, mock_response, mock_responses, ...rest } = tool;
    const own = new Map<number, ToolFunction>();
    mocks.set(index, own);
    const answer = (given: unknown, position: number, at: Path): unknown => {
      if (!isFunction<ToolFunction>(given)) return jsonValue(given, { path: at, report });
      own.set(position, given);
      return { $function: functionHash(given) };
    };
    return {
      ...plain(jsonValue(rest, { path, report })),
      ...(parameters !== undefined && { parameters: jsonSchema(parameters, [...path, 'parameters']) }),
      ...(mock_response !== undefined && { mock_response: answer(mock_response, -1, [...path, 'mock_response']) }),
      ...(mock_responses !== undefined && {
        mock_responses: list(mock_responses, (mock, position) => {
          const at = [...path, 'mock_responses', position];
          if (!isRecord(mock)) return jsonValue(mock, { path: at, report });
          const { respond, ...others } = mock;
          const answered = respond === undefined ? {} : { respond: answer(respond, position, [...at, 'respond']) };
          return { ...plain(jsonValue(others, { path: at, report })), ...answered };
        }),
      }),
    };
  }

  function jsonSchema(parameters: unknown, path: Path): unknown {
    if (!isZodSchema(parameters)) return jsonValue(parameters, { path, report });
    try {
      return jsonValue(jsonSchemaOf(parameters), { path, report });
    } catch (error) {
      const message = `the zod schema has no JSON Schema: ${errorMessage(error)}`;
      report({ code: 'invalid-json-schema', message, path });
      return undefined;
    }
  }

  function splitAssertion(assertion: unknown, index: number): unknown {
    const path = ['assertions', index];
    const { check, ...rest } = isRecord(assertion) ? assertion : { check: assertion };
    if (!isFunction<CheckFunction>(check)) {
      if (isRecord(assertion) && assertion.type === 'function') {
        const message = 'an assertion that is a function has it as "check"';
        report({ code: 'invalid-value', message, hint: 'check: (trial) => ...', path });
      }
      return jsonValue(assertion, { path, report });
    }
    const fields = plain(jsonValue(rest, { path, report }));
    const id = typeof fields.id === 'string' ? fields.id : checkId(check, index, checks);
    // Two with the same id are reported with the other assertions.
    checks.set(id, check);
    return { ...fields, type: 'function', id, function: functionHash(check) };
  }
}

/** The same for two functions with the same source text. What a function has captured is not seen. */
function functionHash(given: (...args: never[]) => unknown): string {
  return hash('sha256', Function.prototype.toString.call(given), 'hex').slice(0, 16);
}

/** `check` is the name of every function that is written as `check: () => ...`. */
function checkId(check: CheckFunction, index: number, taken: ReadonlyMap<string, unknown>): string {
  const named = check.name === '' || check.name === 'check' ? `check ${index + 1}` : check.name;
  return taken.has(named) ? `${named} ${index + 1}` : named;
}

/** What the model sees of a zod schema. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: 'input' });
  return plain;
}

/** Also one of another copy of zod 4. */
export function isZodSchema(value: unknown): value is z.ZodType {
  return isRecord(value) && isRecord(value._zod);
}

function plain(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
