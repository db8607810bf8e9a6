import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { MOST_TOOLS } from '../schema/scenario-schema.ts';
import { checkExpression, checkJsonSchema } from './check-field.ts';

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
    if (answers.length === 0) {
      report({
        code: 'missing-key',
        message: 'a mock needs an answer: "respond" or "error"',
        path: mockPath,
        missing: ['respond', 'error'],
      });
    } else if (answers.length > 1) {
      const message = 'a mock has either "respond" or "error"';
      report({ code: 'conflicting-keys', message, path: [...mockPath, 'error'], at: 'key' });
    }
    checkExpression(report, mock.when, [...mockPath, 'when']);
    checkArgumentNames(report, { match: mock.when, tool, path: [...mockPath, 'when'] });
  }
}

interface ArgumentNames {
  match: unknown;
  tool: unknown;
  path: Path;
}

/** Warns of arguments that the tool does not declare: most likely a typo, because no call would have them. */
export function checkArgumentNames(report: Report, { match, tool, path }: ArgumentNames): void {
  if (!isRecord(match) || !isRecord(tool) || !isRecord(tool.parameters) || !isRecord(tool.parameters.properties))
    return;
  const { properties, additionalProperties } = tool.parameters;
  // The list of properties is not complete when other properties are allowed or described elsewhere.
  if (additionalProperties === true || isRecord(additionalProperties)) return;
  if (['patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((key) => isKeyOf(tool.parameters, key))) return;
  const known = Object.keys(properties);
  for (const key of Object.keys(match)) {
    if (Object.hasOwn(properties, key)) continue;
    report({
      severity: 'warning',
      code: 'unknown-argument',
      message: `the tool "${String(tool.name)}" has no parameter "${key}"`,
      hint: suggestion(key, known),
      path: [...path, key],
      at: 'key',
    });
  }
}

function isKeyOf(value: unknown, key: string): boolean {
  return isRecord(value) && Object.hasOwn(value, key);
}
