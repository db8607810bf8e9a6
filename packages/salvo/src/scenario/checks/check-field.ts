import { errorMessage } from '../../text/errors/salvo-error.ts';
import { ExpressionError, parseExpression } from '../../text/json/expression.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { compilePattern } from '../../text/pattern.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { compileJsonSchema, JsonSchemaError } from '../compile/json-schema.ts';
import { SCHEMA_KEYWORDS, unknownKeywords } from '../compile/schema-keywords.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import { typeOfExpression } from '../types/expression-type.ts';
import { ANYTHING, type ValueType } from '../types/value-type.ts';

// Each of these ignores values of the wrong type: the schema reports them.

/** Whether the pattern can be compiled. */
export function checkPattern(report: Report, pattern: unknown, path: Path): pattern is string {
  if (typeof pattern !== 'string') return false;
  const compiled = attempt(
    () => compilePattern(pattern),
    (message) => report({ code: 'invalid-pattern', message, path }),
  );
  return compiled !== null;
}

export interface ExpressionInPlace {
  expression: unknown;
  path: Path;
  /** What the expression is applied to. */
  document: ValueType;
  /** For a path that the document does not have. Default: error. */
  severity?: Problem['severity'];
}

/** Reports an expression that cannot be compiled or finds nothing in any document. Returns what it can find. */
export function checkExpression(
  report: Report,
  { expression, path, document, severity }: ExpressionInPlace,
): ValueType {
  if (typeof expression !== 'string' || expression === '') return ANYTHING;
  const parsed = attempt(
    () => parseExpression(expression),
    (message, error) => {
      const offset = error instanceof ExpressionError ? error.offset : undefined;
      report({ code: 'invalid-expression', message, hint: hintOnDash(expression), path, offset });
    },
  );
  if (!parsed) return ANYTHING;
  const { type, problems } = typeOfExpression(parsed, { type: document, name: '' });
  for (const problem of problems) {
    report({ ...problem, path, ...(problem.code === 'unknown-path' && severity && { severity }) });
  }
  return type;
}

/** In `orders.A-1`, the dash is a minus. */
function hintOnDash(expression: string): string | undefined {
  const [, name] = /(?:^|\.)([a-z_]\w{0,80}-[\w-]{1,80})/i.exec(expression) ?? [];
  return name && `put a name with a dash in double quotes: "${name}"`;
}

export function checkJsonSchema(report: Report, schema: unknown, path: Path): void {
  if (!isRecord(schema)) return;
  attempt(
    () => compileJsonSchema(schema),
    (message, error) => {
      const inner = error instanceof JsonSchemaError ? error.path : [];
      report({ code: 'invalid-json-schema', message, path: [...path, ...pathIn(schema, inner)] });
    },
  );
  for (const { keyword, path: inner } of unknownKeywords(schema)) {
    report({
      severity: 'warning',
      code: 'unknown-keyword',
      message: `JSON Schema has no keyword "${keyword}", so it demands nothing`,
      hint: suggestion(keyword, [...SCHEMA_KEYWORDS], 'a keyword of your own begins with x-'),
      path: [...path, ...inner],
      at: 'key',
    });
  }
}

/** A JSON pointer writes the index of a list like a key; a path needs a number. */
function pathIn(schema: unknown, steps: string[]): Path {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  if (Array.isArray(schema)) return [Number(step), ...pathIn(schema[Number(step)], rest)];
  return [step, ...pathIn(isRecord(schema) && Object.hasOwn(schema, step) ? schema[step] : undefined, rest)];
}

function attempt<T>(compile: () => T, fail: (message: string, error: unknown) => void): T | null {
  try {
    return compile();
  } catch (error) {
    const message = errorMessage(error);
    fail(message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, ''), error);
    return null;
  }
}
