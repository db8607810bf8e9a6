import { cutEnd } from '../../../text/words/cut-text.ts';
import { kindOfValue, list } from '../../../text/words/value-words.ts';
import type { Path } from '../../diagnostics/located-value.ts';
import type { Report } from '../../diagnostics/problem.ts';
import { checkSchema, missingKey } from '../../diagnostics/schema-problems.ts';
import { OPERATORS, type Operator, shorthandSchema } from '../../schema/assertion-schema.ts';

export function isShorthand(assertion: Record<string, unknown>): boolean {
  const keys = Object.keys(assertion);
  return !keys.includes('type') && keys.some((key) => key === 'path' || OPERATORS.some((operator) => operator === key));
}

interface Expanded {
  /** The equivalent jmespath assertion. */
  assertion: Record<string, unknown>;
  /** The key of the shorthand that has the value: its operator. */
  valueKey: Operator;
}

/** `{path: response.content, contains: x}` as a jmespath assertion; null when it has errors. */
export function expandShorthand(report: Report, assertion: Record<string, unknown>, path: Path): Expanded | null {
  const { problems } = checkSchema(shorthandSchema, assertion, path);
  for (const problem of problems) report(problem);
  const operators = Object.keys(assertion).flatMap((key) => OPERATORS.filter((operator) => operator === key));
  const [operator, second] = operators;
  if (!operator) {
    // An unknown key has been reported, and is most likely the misspelt operator.
    if (!problems.some(({ code }) => code === 'unknown-key')) {
      report(missingKey([...path, 'operator'], `add one of ${OPERATORS.join(', ')}`));
    }
    return null;
  }
  if (second) {
    report({
      code: 'conflicting-keys',
      message: `an assertion has one operator, not ${list(operators, 'and')}`,
      hint: 'write one assertion for each',
      path: [...path, second],
      at: 'key',
    });
    return null;
  }
  if (problems.length > 0) return null;
  return { assertion: expandOperator(assertion), valueKey: operator };
}

/** The same for a shorthand that was checked, or whose values are templates. */
export function expandOperator(assertion: Record<string, unknown>): Record<string, unknown> {
  const operator = OPERATORS.find((each) => Object.hasOwn(assertion, each)) ?? 'exists';
  const { path: expression, [operator]: value, ...rest } = assertion;
  return { type: 'jmespath', expression, ...operation(operator, value), ...rest };
}

function operation(operator: Operator, value: unknown): Record<string, unknown> {
  if (operator !== 'exists' && operator !== 'not_exists') return { operator, value };
  return { operator: (operator === 'exists') === value ? 'exists' : 'not_exists' };
}

/** `{judge: The answer is polite.}`: a judge with one criterion, which is the sentence. */
export function isJudgeSentence(assertion: Record<string, unknown>): boolean {
  return Object.hasOwn(assertion, 'judge') && !Object.hasOwn(assertion, 'type');
}

/** The assertion of type `judge`; null when it has errors. */
export function checkJudgeSentence(
  report: Report,
  assertion: Record<string, unknown>,
  path: Path,
): Record<string, unknown> | null {
  const { judge: sentence } = assertion;
  if (typeof sentence !== 'string' || sentence.trim() === '') {
    report({
      code: 'wrong-type',
      message: `"judge" should be a sentence that is true of a good answer, but is ${kindOfValue(sentence)}`,
      hint: 'such as - judge: The answer is polite. For several criteria, write {type: judge, criteria: [...]}',
      path: [...path, 'judge'],
    });
    return null;
  }
  for (const key of ['criteria', 'rubric'].filter((each) => assertion[each] !== undefined)) {
    report({
      code: 'conflicting-keys',
      message: `"judge" is the criterion, so that "${key}" cannot be used with it`,
      hint: 'for several criteria, write {type: judge, criteria: [...]}',
      path: [...path, key],
      at: 'key',
    });
    return null;
  }
  return expandJudgeSentence(assertion);
}

/** The same for a sentence that was checked, or that has templates. */
export function expandJudgeSentence({ judge, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const description = String(judge).trim();
  return { type: 'judge', criteria: [{ name: sentenceName(description), description }], ...rest };
}

const LONGEST_NAME = 60;

/** The name of a criterion that is one sentence. With a template it would be another one in each case. */
export function sentenceName(sentence: string): string {
  if (sentence.includes('{{')) return 'judge';
  const [line = ''] = sentence.split('\n', 1);
  return cutEnd(line.trim().replace(/\.$/, ''), LONGEST_NAME, '…');
}
