import { isRecord } from '../../text/json/is-record.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { readMatcher } from '../compile/argument-match.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { MOST_TOOLS } from '../schema/scenario-schema.ts';
import { declaredProperties, typeOfArguments } from '../types/schema-type.ts';
import { checkExpression, checkJsonSchema, checkPattern } from './check-field.ts';

/** Checks what the schema of a tool cannot: names are unique, mocks are consistent, schemas and conditions compile. */
export function checkTools(report: Report, tools: unknown): void {
  if (!Array.isArray(tools) || tools.length > MOST_TOOLS) return;
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    if (!isRecord(tool)) continue;
    const path = ['tools', index];
    if (typeof tool.name === 'string') {
      if (names.has(tool.name)) {
        report({
          code: 'duplicate-tool',
          message: `there are two tools named "${tool.name}"`,
          path: [...path, 'name'],
        });
      }
      names.add(tool.name);
    }
    checkJsonSchema(report, tool.parameters, [...path, 'parameters']);
    checkMocks(report, tool, path);
  }
}

function checkMocks(report: Report, tool: Record<string, unknown>, path: Path): void {
  if (Object.hasOwn(tool, 'mock_response') && Object.hasOwn(tool, 'mock_responses')) {
    report({
      code: 'conflicting-keys',
      message: 'a tool has either mock_response or mock_responses',
      path: [...path, 'mock_responses'],
      at: 'key',
    });
  }
  if (!Array.isArray(tool.mock_responses)) return;
  for (const [index, mock] of tool.mock_responses.entries()) {
    if (!isRecord(mock)) continue;
    const mockPath = [...path, 'mock_responses', index];
    const answers = ['respond', 'error'].filter((key) => Object.hasOwn(mock, key));
    if (answers.length === 0 && !Object.hasOwn(mock, 'files')) {
      report({
        code: 'missing-key',
        message: 'a mock needs an answer: "respond", "files" or "error"',
        path: mockPath,
        missing: ['respond', 'error'],
      });
    } else if (answers.length > 1) {
      const message = 'a mock has either "respond" or "error"';
      report({ code: 'conflicting-keys', message, path: [...mockPath, 'error'], at: 'key' });
    }
    if (Object.hasOwn(mock, 'error') && Object.hasOwn(mock, 'files')) {
      const message = 'an error has no files';
      report({ code: 'conflicting-keys', message, path: [...mockPath, 'files'], at: 'key' });
    }
    checkArguments(report, { match: mock.when, tool, path: [...mockPath, 'when'] });
  }
}

interface ArgumentMatch {
  /** A subset of the arguments, with matchers, or an expression over them. */
  match: unknown;
  /** The tool, if it is known. */
  tool: unknown;
  path: Path;
}

/** Checks matchers, and warns of arguments that the tool does not declare: most likely typos, which no call would have. */
export function checkArguments(report: Report, { match, tool, path }: ArgumentMatch): void {
  const parameters = isRecord(tool) ? tool.parameters : undefined;
  const document = typeOfArguments(parameters);
  checkExpression(report, { expression: match, path, document, severity: 'warning' });
  checkMatchers(report, match, path);
  const declared = declaredProperties(parameters);
  if (!declared || !isRecord(match) || !isRecord(tool)) return;
  for (const key of Object.keys(match)) {
    if (key.startsWith('$') || Object.hasOwn(declared, key)) continue;
    report({
      severity: 'warning',
      code: 'unknown-argument',
      message: `the tool "${String(tool.name)}" has no parameter "${key}"`,
      hint: suggestion(key, Object.keys(declared)),
      path: [...path, key],
      at: 'key',
    });
  }
}

/** Reports mistakes in the matchers of arguments, such as `{$regex: ...}`, at any depth. */
function checkMatchers(report: Report, value: unknown, path: Path): void {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) checkMatchers(report, entry, [...path, index]);
  }
  if (!isRecord(value)) return;
  const read = readMatcher(value);
  if (read?.problem) {
    const { key, ...problem } = read.problem;
    report({ ...problem, path: [...path, key], at: problem.code === 'wrong-type' ? 'value' : 'key' });
    return;
  }
  if (read?.matcher.kind === '$equals') return;
  if (read?.matcher.kind === '$regex') checkPattern(report, read.matcher.pattern, [...path, '$regex']);
  else for (const [key, entry] of Object.entries(value)) checkMatchers(report, entry, [...path, key]);
}
