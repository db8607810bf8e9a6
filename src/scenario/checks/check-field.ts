import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { isRecord } from '../../text/is-record.ts';
import { compilePattern } from '../../text/pattern.ts';
import { errorMessage } from '../../text/salvo-error.ts';
import { compileExpression, ExpressionError } from '../compile/expression.ts';
import { compileJsonSchema, JsonSchemaError } from '../compile/json-schema.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';

// Each of these ignores values of the wrong type: the schema reports them.

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
      report({ code: 'invalid-json-schema', message, path: [...path, ...pathIn(schema, inner)] });
    },
  );
}

/** A JSON pointer writes the index of a list like a key; a path needs a number. */
function pathIn(schema: unknown, steps: string[]): Path {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  if (Array.isArray(schema)) return [Number(step), ...pathIn(schema[Number(step)], rest)];
  return [step, ...pathIn(isRecord(schema) && Object.hasOwn(schema, step) ? schema[step] : undefined, rest)];
}

function attempt(compile: () => unknown, fail: (message: string, error: unknown) => void): void {
  try {
    compile();
  } catch (error) {
    const message = errorMessage(error);
    fail(message.charAt(0).toLowerCase() + message.slice(1).replace(/\.$/, ''), error);
  }
}

export interface FileReference {
  file: unknown;
  /** `file` is relative to this folder. */
  folder: string;
  path: Path;
}

/** Reports a named file that does not exist. */
export function checkFileExists(report: Report, { file, folder, path }: FileReference): void {
  if (typeof file !== 'string' || file === '') return;
  const absolute = resolve(folder, file.replaceAll('\0', ''));
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats?.isFile()) return;
  report({
    code: 'missing-file',
    message: stats ? `${file} is not a file` : `${file} does not exist`,
    hint: `looked for at ${absolute}`,
    path,
  });
}
