import { dirname } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { suggestion } from '../../text/words/did-you-mean.ts';
import { readMatcher } from '../compile/argument-match.ts';
import type { Path } from '../diagnostics/located-value.ts';
import type { Report } from '../diagnostics/problem.ts';
import { OPERATORS } from '../schema/assertion-schema.ts';
import { MOST_TOOLS } from '../schema/scenario-schema.ts';
import { declaredProperties, typeOfArguments } from '../types/schema-type.ts';
import { ANYTHING, mapOf, type ValueType } from '../types/value-type.ts';
import { checkExpression, checkJsonSchema, checkPattern } from './check-field.ts';
import { codeRefusal, reportCode } from './refuse-code.ts';
import { checkFileExists, type FileAt, rebasedPath } from './written-path.ts';

/** Checks what the schema of a tool cannot: names are unique, mocks are consistent, schemas and conditions compile. */
export function checkTools(report: Report, tools: unknown, around: ToolSurroundings): void {
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
    checkModule(report, { tool, path, around });
    if (around.hasState) continue;
    for (const site of setSites(tool, path)) {
      const message = 'there is no state to change';
      report({ code: 'missing-key', message, hint: 'add `state:` to the scenario', path: site, at: 'key' });
    }
  }
}

/** What tools refer to. */
export interface ToolSurroundings {
  /** Whether the scenario has a state document. */
  hasState: boolean;
  /** In which file the value at a path is written. */
  fileAt: FileAt;
  projectRoot: string;
  readRoot: string;
}

interface CheckedModule {
  tool: Record<string, unknown>;
  path: Path;
  around: ToolSurroundings;
}

function checkModule(report: Report, { tool, path, around }: CheckedModule): void {
  if (Object.hasOwn(tool, 'function') && !Object.hasOwn(tool, 'module')) {
    const message = '"function" is an export of "module", which is missing';
    report({ code: 'missing-key', message, path: [...path, 'function'], at: 'key' });
  }
  if (!Object.hasOwn(tool, 'module')) return;
  const at = [...path, 'module'];
  for (const key of ['mock_response', 'mock_responses']) {
    if (!Object.hasOwn(tool, key)) continue;
    const message = `a tool has either "module" or "${key}"`;
    report({ code: 'conflicting-keys', message, path: [...path, key], at: 'key' });
  }
  const { projectRoot, readRoot } = around;
  checkFileExists(report, { file: tool.module, folder: dirname(around.fileAt(at)), projectRoot, readRoot, path: at });
  reportCode(report, codeRefusal('the module of a tool'), at);
}

/** The tools with their modules relative to the scenario, wherever they are written. */
export function toolsFromFile<T>(tools: readonly T[], { fileAt, file }: { fileAt: FileAt; file: string }): T[] {
  return tools.map((tool, index) => {
    if (!isRecord(tool) || typeof tool.module !== 'string') return tool;
    const from = dirname(fileAt(['tools', index, 'module']));
    return Object.assign({}, tool, { module: rebasedPath(tool.module, { from, to: dirname(file) }) });
  });
}

function setSites(tool: Record<string, unknown>, path: Path): Path[] {
  const mocks: readonly unknown[] = Array.isArray(tool.mock_responses) ? tool.mock_responses : [];
  return mocks.flatMap((mock, index) =>
    isRecord(mock) && Object.hasOwn(mock, 'set') ? [[...path, 'mock_responses', index, 'set']] : [],
  );
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
    const answers = ['respond', 'respond_from', 'error'].filter((key) => Object.hasOwn(mock, key));
    const [first, second] = answers;
    if (answers.length === 0 && !Object.hasOwn(mock, 'files')) {
      report({
        code: 'missing-key',
        message: 'a mock needs an answer: "respond", "respond_from", "files" or "error"',
        path: mockPath,
        missing: ['respond', 'respond_from', 'error'],
      });
    } else if (second !== undefined) {
      const message = `a mock has either "${first}" or "${second}"`;
      report({ code: 'conflicting-keys', message, path: [...mockPath, second], at: 'key' });
    }
    const document = mapOf([
      ['state', ANYTHING],
      ['arguments', typeOfArguments(tool.parameters)],
    ]);
    for (const key of ['when_state', 'respond_from']) {
      checkExpression(report, { expression: mock[key], path: [...mockPath, key], document, severity: 'warning' });
    }
    checkChanges(report, { set: mock.set, path: [...mockPath, 'set'], document });
    if (Object.hasOwn(mock, 'error') && Object.hasOwn(mock, 'files')) {
      const message = 'an error has no files';
      report({ code: 'conflicting-keys', message, path: [...mockPath, 'files'], at: 'key' });
    }
    checkArguments(report, { match: mock.when, tool, path: [...mockPath, 'when'] });
  }
}

interface WrittenChanges {
  set: unknown;
  path: Path;
  /** What its expressions read. */
  document: ValueType;
}

function checkChanges(report: Report, { set, path, document }: WrittenChanges): void {
  const changes: [unknown, Path][] = Array.isArray(set)
    ? set.map((change: unknown, index) => [change, [...path, index]])
    : [[set, path]];
  for (const [change, at] of changes) {
    if (!isRecord(change)) continue;
    const check = (expression: unknown, key: string) =>
      checkExpression(report, { expression, path: [...at, key], document, severity: 'warning' });
    check(change.value_from, 'value_from');
    const steps: readonly unknown[] = [change.path].flat();
    for (const step of steps) {
      if (typeof step !== 'string') continue;
      for (const [, expression] of step.matchAll(/\{([^{}]*)\}/g)) check(expression, 'path');
    }
    const given = ['value', 'value_from'].filter((key) => Object.hasOwn(change, key));
    if (given.length === 1) continue;
    const message =
      given.length === 0 ? 'a change needs "value" or "value_from"' : 'a change has either "value" or "value_from"';
    report({ code: given.length === 0 ? 'missing-key' : 'conflicting-keys', message, path: at });
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

/** Checks that a `final_state` says one thing about a state that there is. */
export function checkFinalState(
  report: Report,
  { assertion, path, hasState }: { assertion: Record<string, unknown>; path: Path; hasState: boolean },
): void {
  if (!hasState) {
    const hint = 'add `state:` to the scenario';
    report({ code: 'missing-key', message: 'the scenario has no state', hint, path: [...path, 'type'] });
  }
  const operators = OPERATORS.filter((operator) => Object.hasOwn(assertion, operator));
  const demands = [...['after', 'equals'].filter((key) => Object.hasOwn(assertion, key)), ...operators];
  const [first, second] = demands;
  if (first === undefined) {
    const message = 'a final_state needs "after", "equals", or "path" with an operator';
    report({ code: 'missing-key', message, path, missing: ['after', 'equals'] });
  } else if (second !== undefined) {
    const message = `a final_state has either "${first}" or "${second}"`;
    report({ code: 'conflicting-keys', message, hint: 'write one for each', path: [...path, second], at: 'key' });
  } else if (first === 'after' && Object.hasOwn(assertion, 'path')) {
    const message = '"after" is about the whole state, and has no "path"';
    report({ code: 'conflicting-keys', message, path: [...path, 'path'], at: 'key' });
  } else if (operators.length > 0 && !Object.hasOwn(assertion, 'path')) {
    report({ code: 'missing-key', message: `"${first}" needs a "path"`, path: [...path, first], at: 'key' });
  }
  checkExpression(report, { expression: assertion.path, path: [...path, 'path'], document: ANYTHING });
  for (const key of ['regex', 'not_regex']) checkPattern(report, assertion[key], [...path, key]);
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
