import { isRecord } from '../../text/is-record.ts';
import { compilePattern } from '../../text/pattern.ts';
import type { Report } from '../diagnostics/problem.ts';
import { compileExpression, ExpressionError } from '../schema/expression.ts';
import { compileJsonSchema, JsonSchemaError } from '../schema/json-schema.ts';
import type { Path } from '../yaml/located-value.ts';

/** These report what does not compile, and leave values of a wrong kind to the schema. */
export function checkPattern(report: Report, pattern: unknown, path: Path): void {
  if (typeof pattern !== 'string') return;
  attempt(
    () => compilePattern(pattern),
    (message) => report({ code: 'invalid-pattern', message, path }),
  );
}

export function checkExpression(report: Report, expression: unknown, path: Path): void {
  if (typeof expression !== 'string' || expression === '') return;
  attempt(
    () => compileExpression(expression),
    (message, error) => {
      const offset = error instanceof ExpressionError ? error.offset : undefined;
      report({ code: 'invalid-expression', message, path, offset });
    },
  );
}

export function checkJsonSchema(report: Report, schema: unknown, path: Path): void {
  if (!isRecord(schema)) return;
  attempt(
    () => compileJsonSchema(schema),
    (message, error) => {
      const inner = error instanceof JsonSchemaError ? error.path : [];
      report({ code: 'invalid-json-schema', message, path: [...path, ...stepsIn(schema, inner)] });
    },
  );
}

/** List entries are found by number, which a JSON pointer does not tell from a key. */
function stepsIn(schema: unknown, steps: string[]): Path {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  if (Array.isArray(schema)) return [Number(step), ...stepsIn(schema[Number(step)], rest)];
  return [step, ...stepsIn(isRecord(schema) && Object.hasOwn(schema, step) ? schema[step] : undefined, rest)];
}

function attempt(compile: () => unknown, fail: (message: string, error: unknown) => void): void {
  try {
    compile();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    fail(message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, ''), error);
  }
}
