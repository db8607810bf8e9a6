import type { AdapterNames } from '../../adapters/adapter-name.ts';
import { suggestion } from '../../text/did-you-mean.ts';
import { isRecord } from '../../text/is-record.ts';
import { some } from '../../text/value-words.ts';
import type { Problem, Report } from '../diagnostics/problem.ts';
import type { InspectedRubric } from '../load-rubric.ts';
import type { Path } from '../yaml/located-value.ts';
import { checkFileExists } from './check-file-exists.ts';
import { checkJmespath } from './check-jmespath.ts';
import { checkArgumentNames } from './check-tools.ts';
import { checkExpression, checkJsonSchema, checkPattern } from './compile-checks.ts';

/** What there is in the scenario besides the assertion. */
export interface AssertionSurroundings {
  tools: unknown;
  /** Whole agents may have tools the scenario knows nothing of. */
  mayHaveOwnTools: boolean;
  /** Paths in an assertion are relative to it. */
  folder: string;
  /** Paths of adapters are relative to it, and no rubric lies outside. */
  projectRoot: string;
  adapterNames: AdapterNames;
  /** What is in a rubric file. Its problems are reported by whoever looks it up. */
  rubricOf: (file: string) => InspectedRubric;
}

interface OneAssertion {
  assertion: Record<string, unknown>;
  around: AssertionSurroundings;
  path: Path;
}

/** What the schema of an assertion cannot say: names that exist, patterns, expressions and schemas that compile. */
export function checkAssertionFields(report: Report, { assertion, around, path }: OneAssertion): void {
  const at = (...keys: (string | number)[]) => [...path, ...keys];
  switch (assertion.type) {
    case 'jmespath':
      checkJmespath(report, assertion, { expression: at('expression'), operator: at('operator'), value: at('value') });
      break;
    case 'tool_called':
    case 'tool_not_called': {
      const tool = checkToolName(report, { name: assertion.tool, around, path: at('tool') });
      checkExpression(report, assertion.arguments, at('arguments'));
      checkArgumentNames(report, { match: assertion.arguments, tool, path: at('arguments') });
      checkTimes(report, assertion.times, at('times'));
      break;
    }
    case 'tool_sequence':
      if (!Array.isArray(assertion.sequence)) break;
      for (const [index, name] of assertion.sequence.entries()) {
        checkToolName(report, { name, around, path: at('sequence', index) });
      }
      break;
    case 'output_matches':
      checkPattern(report, assertion.pattern, at('pattern'));
      break;
    case 'output_json':
      checkJsonSchema(report, assertion.schema, at('schema'));
      break;
    case 'custom':
      checkFileExists(report, { file: assertion.module, folder: around.folder, path: at('module') });
      break;
    case 'findings':
      checkFileExists(report, { file: assertion.manifest, folder: around.folder, path: at('manifest') });
      checkThresholds(report, assertion, at('exact_threshold'));
      break;
  }
}

function checkThresholds(report: Report, assertion: Record<string, unknown>, path: Path): void {
  const { match_threshold: match = 0.4, exact_threshold: exact = 0.7 } = assertion;
  if (typeof match !== 'number' || typeof exact !== 'number' || match <= exact) return;
  const message = `"exact_threshold" (${exact}) is less than "match_threshold" (${match}): what is exact is also a match`;
  report({ code: 'invalid-value', message, path });
}

interface ToolName {
  name: unknown;
  around: AssertionSurroundings;
  path: Path;
}

/** Gives back the tool when there is one of that name. */
function checkToolName(report: Report, { name, around, path }: ToolName): Record<string, unknown> | undefined {
  if (typeof name !== 'string' || (around.tools !== undefined && !Array.isArray(around.tools))) return undefined;
  const tools = (around.tools ?? []).filter(isRecord);
  if (tools.length === 0) {
    if (!around.mayHaveOwnTools) report(noTools(name, path));
    return undefined;
  }
  const found = tools.find((tool) => tool.name === name);
  if (found) return found;
  const names = [...new Set(tools.flatMap((tool) => (typeof tool.name === 'string' ? [tool.name] : [])))];
  report({
    ...(around.mayHaveOwnTools ? { severity: 'warning' } : {}),
    code: 'unknown-tool',
    message: `the scenario has no tool "${name}"`,
    hint: suggestion(name, names, `its tools: ${some(names)}`),
    path,
  });
  return undefined;
}

/** Only a warning: a model can call what it was not offered, and such calls are recorded. */
function noTools(name: string, path: Path): Problem {
  return {
    severity: 'warning',
    code: 'unknown-tool',
    message: `the scenario has no tools, so that "${name}" cannot be called`,
    hint: `add it: tools: [{name: ${name}, ...}]`,
    path,
  };
}

function checkTimes(report: Report, times: unknown, path: Path): void {
  if (!isRecord(times) || typeof times.min !== 'number' || typeof times.max !== 'number') return;
  if (times.min <= times.max) return;
  const message = `"min" (${times.min}) is greater than "max" (${times.max}): no number of calls would do`;
  report({ code: 'invalid-value', message, path });
}
