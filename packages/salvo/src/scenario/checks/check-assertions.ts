import { isRecord } from '../../text/json/is-record.ts';
import { didYouMean, suggestion } from '../../text/words/did-you-mean.ts';
import { kindOfValue } from '../../text/words/value-words.ts';
import type { Report } from '../diagnostics/problem.ts';
import { checkSchema, missingKey, unknownKey } from '../diagnostics/schema-problems.ts';
import { type Assertion, OPERATORS } from '../schema/assertion-schema.ts';
import {
  allAssertionTypes,
  anyAssertionSchema,
  assertionTypeSchema,
  functionAssertionSchema,
} from '../schema/assertion-types.ts';
import { MOST_ASSERTIONS } from '../schema/scenario-schema.ts';
import { checkJudgeSentence, expandShorthand, isJudgeSentence, isShorthand } from './assertion/expand-shorthand.ts';
import {
  type AssertionInPlace,
  type AssertionSurroundings,
  checkAssertionFields,
  checkTurn,
  withRebasedPaths,
} from './check-assertion-fields.ts';
import { checkWeights } from './check-criteria.ts';
import { checkJmespath } from './check-jmespath.ts';
import { checkJudge } from './check-judge.ts';

/** Checks every assertion by its type. Returns those without errors, with the shorthand expanded. */
export function checkAssertions(report: Report, assertions: unknown, around: AssertionSurroundings): Assertion[] {
  if (!Array.isArray(assertions) || assertions.length > MOST_ASSERTIONS) return [];
  checkIds(report, assertions);
  checkWeights(report, { entries: assertions, what: 'assertions', path: ['assertions'] });
  return assertions.flatMap((assertion, index) =>
    checkAssertion(report, { assertion, around, path: ['assertions', index] }),
  );
}

type OneAssertion = Omit<AssertionInPlace, 'assertion'> & { assertion: unknown };

function checkAssertion(report: Report, { assertion, around, path }: OneAssertion): Assertion[] {
  if (!isRecord(assertion)) {
    report({
      code: 'wrong-type',
      message: `an assertion should be a map, but is ${kindOfValue(assertion)}`,
      hint: 'such as - {type: output_contains, value: hello}',
      path,
    });
    return [];
  }
  checkTurn(report, assertion.turn, around, [...path, 'turn']);
  if (isShorthand(assertion)) {
    const expanded = expandShorthand(report, assertion, path);
    if (!expanded) return [];
    const valuePath = [...path, expanded.valueKey];
    checkJmespath(report, {
      assertion: expanded.assertion,
      paths: { expression: [...path, 'path'], value: valuePath, operator: valuePath },
      toolDocuments: around.toolDocuments,
    });
    return parseAssertion(report, { assertion: expanded.assertion, around, path });
  }
  if (isJudgeSentence(assertion)) {
    const judge = checkJudgeSentence(report, assertion, path);
    return judge ? checkTyped(report, { assertion: judge, around, path }) : [];
  }
  if (!Object.hasOwn(assertion, 'type')) {
    const misspelt = Object.keys(assertion).find((key) => didYouMean(key, ['type']));
    if (misspelt !== undefined) report(unknownKey({ key: misspelt, allowed: ['type'], path }));
    const types = [...allAssertionTypes().keys()];
    const asKey = types.find((type) => Object.hasOwn(assertion, type));
    const hint = asKey === undefined ? `choose one of ${types.join(', ')}` : `write {type: ${asKey}, ...}`;
    report(missingKey([...path, 'type'], hint));
    return [];
  }
  return checkTyped(report, { assertion, around, path });
}

function checkTyped(report: Report, inPlace: AssertionInPlace): Assertion[] {
  if (inPlace.assertion.type === 'judge') {
    const withCriteria = checkJudge(report, inPlace);
    const assertion = withRebasedPaths({ ...inPlace, assertion: withCriteria });
    return parseAssertion(report, { ...inPlace, assertion });
  }
  checkAssertionFields(report, inPlace);
  return parseAssertion(report, { ...inPlace, assertion: withRebasedPaths(inPlace) });
}

function parseAssertion(report: Report, { assertion, around, path }: AssertionInPlace): Assertion[] {
  const { type } = assertion;
  const ofCode = around.isCode && type === 'function' ? functionAssertionSchema : undefined;
  const schema = typeof type === 'string' ? (ofCode ?? assertionTypeSchema(type)) : undefined;
  if (!schema) {
    const types = [...allAssertionTypes().keys()];
    // `icontains` and the like of other tools are about the answer, and not about files.
    const isLikely = (known: string) => !known.startsWith('file_') || String(type).startsWith('file');
    const all = `choose one of ${types.join(', ')}`;
    const operator = typeof type === 'string' ? didYouMean(type, OPERATORS) : undefined;
    const other = operator === undefined ? all : `write {path: response.content, ${operator}: ...}`;
    report({
      code: 'unknown-assertion-type',
      message: typeof type === 'string' ? `there is no assertion type "${type}"` : '"type" should be a text',
      hint: typeof type === 'string' ? suggestion(type, types.filter(isLikely), other) : all,
      path: [...path, 'type'],
    });
    return [];
  }
  const { data, problems } = checkSchema(schema, assertion, path);
  for (const problem of problems) {
    // Operators have their own code because they are the choice that is most often wrong.
    const isOperator = problem.code === 'invalid-value' && problem.path.at(-1) === 'operator';
    report(isOperator ? { ...problem, code: 'unknown-operator' } : problem);
  }
  const checked = anyAssertionSchema.safeParse(data);
  return checked.success ? [checked.data] : [];
}

function checkIds(report: Report, assertions: unknown[]): void {
  const ids = new Set<unknown>();
  for (const [index, assertion] of assertions.entries()) {
    if (!isRecord(assertion) || typeof assertion.id !== 'string') continue;
    if (ids.has(assertion.id)) {
      const message = `there are two assertions with the id "${assertion.id}"`;
      report({ code: 'duplicate-id', message, path: ['assertions', index, 'id'] });
    }
    ids.add(assertion.id);
  }
}
