import { shorten, showValue } from '../../../evaluators/show-value.ts';
import { entryText } from '../../../evaluators/types/tools/tool-sequence.ts';
import {
  type Assertion,
  type AssertionOf,
  OPERATORS as OPERATOR_NAMES,
  type Operator,
} from '../../../scenario/schema/assertion-schema.ts';
import type { Turn } from '../../../scenario/schema/shared-fields.ts';
import { builtInAssertion } from './built-in-assertion.ts';

const LONGEST_VALUE = 400;

/** What an assertion demands, in words; null if its type comes from a plugin. */
export function demandText(given: Assertion): string | null {
  const assertion = builtInAssertion(given);
  switch (assertion?.type) {
    case 'jmespath':
      return comparison(assertion) + turnNote(assertion);
    case 'tool_called':
      return `${assertion.tool} is ${times(assertion.times)}${withArguments(assertion)}`;
    case 'tool_not_called':
      return `${assertion.tool} is never called${withArguments(assertion)}`;
    case 'tool_sequence':
      return `${ORDERS[assertion.mode]} ${assertion.sequence.map(entryText).join(', ')}`;
    case 'output_contains':
      return `${answers(assertion)} contains ${listed(assertion.value, 'and')}${foldedNote(assertion)}`;
    case 'output_contains_any':
      return `${answers(assertion)} contains ${listed(assertion.value, 'or')}${foldedNote(assertion)}`;
    case 'output_equals':
      return `${answers(assertion)} is ${showValue(assertion.value, LONGEST_VALUE)}${foldedNote(assertion)}`;
    case 'output_not_equals':
      return `${answers(assertion)} is not ${showValue(assertion.value, LONGEST_VALUE)}${foldedNote(assertion)}`;
    case 'output_starts_with':
      return `${answers(assertion)} begins with ${listed(assertion.value, 'or')}${foldedNote(assertion)}`;
    case 'output_not_starts_with':
      return `${answers(assertion)} does not begin with ${listed(assertion.value, 'or')}${foldedNote(assertion)}`;
    case 'output_length':
      return `${answers(assertion)} has ${lengths(assertion)} ${assertion.unit}`;
    case 'output_similar':
      return `${answers(assertion)} is similar to ${listed(assertion.value, 'or')}, by at least ${assertion.min}`;
    case 'is_refusal':
      return `${answers(assertion)} reads like a refusal`;
    case 'is_not_refusal':
      return `${answers(assertion)} does not read like a refusal`;
    case 'javascript':
      return `this is true of ${answers(assertion)}: ${showCode(assertion.code)}`;
    case 'output_not_contains':
      return `${answers(assertion)} does not contain ${listed(assertion.value, 'or')}${foldedNote(assertion)}`;
    case 'output_matches':
      return `${answers(assertion)} matches /${assertion.pattern}/`;
    case 'output_not_matches':
      return `${answers(assertion)} does not match /${assertion.pattern}/`;
    case 'output_json':
      return `${answers(assertion)} is JSON${assertion.schema === undefined ? '' : ' that fits the schema'}`;
    case 'file_contains':
      return `${assertion.path} contains ${listed(assertion.value, 'and')}${foldedNote(assertion)}`;
    case 'file_not_contains':
      return `${assertion.path} does not contain ${listed(assertion.value, 'or')}${foldedNote(assertion)}`;
    case 'file_matches':
      return `${assertion.path} matches /${assertion.pattern}/`;
    case 'file_not_matches':
      return `${assertion.path} does not match /${assertion.pattern}/`;
    case 'file_unchanged':
      return `${listed(assertion.paths, 'and')} ${[assertion.paths].flat().length === 1 ? 'is' : 'are'} not changed${
        assertion.except === undefined ? '' : `, except ${listed(assertion.except, 'and')}`
      }`;
    case 'command_succeeds':
      return `the command succeeds: ${[assertion.command].flat().join(' ')}`;
    case 'final_state':
      return finalState(assertion);
    case 'cost_limit':
      return `costs at most $${assertion.max_usd}`;
    case 'latency_limit':
      return `takes at most ${assertion.max_seconds} s`;
    case 'step_latency':
      return `${stepsMeant(assertion)} takes at most ${assertion.max_seconds} s`;
    case 'step_cost':
      return `${stepsMeant(assertion)} costs at most $${assertion.max_usd}`;
    case 'conversation_ended':
      return conversationEnd(assertion);
    case 'no_false_success':
      return `an answer that matches /${assertion.claim}/ comes after a successful call of ${assertion.needs.tool}${withArguments(assertion.needs)}`;
    case 'recovers':
      return 'the agent recovers from the faults of its tools: all other assertions pass';
    case 'retries_at_most':
      return `a failed call${assertion.tool === undefined ? '' : ` of ${assertion.tool}`} is repeated at most ${assertion.max} times`;
    case 'injection_resisted':
      return 'the agent follows no instruction that is hidden in the result of a tool';
    case 'given':
      return 'the imported file says that it passed';
    case 'custom':
      return `${assertion.module}${assertion.function === undefined ? '' : `, ${assertion.function}`} accepts it`;
    case 'judge':
      return assertion.turn === undefined ? 'the judge passes it' : `the judge passes ${answers(assertion)}`;
    case 'findings':
      return `the findings match those of ${assertion.manifest}`;
    case undefined:
      return null;
  }
}

const ORDERS: Record<AssertionOf<'tool_sequence'>['mode'], string> = {
  exact: 'exactly these calls, in this order:',
  in_order: 'calls in this order, others may be in between:',
  any_order: 'calls in any order:',
  same: 'exactly these calls, in any order:',
  only: 'no other calls than these:',
};

const OPERATORS: Record<Operator, string> = {
  eq: 'equals',
  ne: 'does not equal',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  contains: 'contains',
  not_contains: 'does not contain',
  regex: 'matches',
  not_regex: 'does not match',
  exists: 'has a value',
  not_exists: 'has no value',
};

function comparison({ expression, operator, value }: AssertionOf<'jmespath'>): string {
  const demand = `${expression} ${OPERATORS[operator]}`;
  if (operator === 'exists' || operator === 'not_exists') return demand;
  if (operator === 'regex' || operator === 'not_regex') return `${demand} /${value}/`;
  return `${demand} ${showValue(value, LONGEST_VALUE)}`;
}

function finalState(assertion: AssertionOf<'final_state'>): string {
  const { after, path, equals } = assertion;
  if (after !== undefined) {
    const calls = after.flatMap((call) => Object.entries(call).map(([name, args]) => `${name} ${showValue(args)}`));
    return calls.length === 0 ? 'nothing in the state has changed' : `the state is the one after ${calls.join(', ')}`;
  }
  const what = path === undefined ? 'the state' : `${path} of the state`;
  const operator = OPERATOR_NAMES.find((each) => assertion[each] !== undefined);
  if (operator === undefined) return `${what} equals ${showValue(equals, LONGEST_VALUE)}`;
  const demand = `${what} ${OPERATORS[operator]}`;
  return operator.endsWith('exists')
    ? `${demand}: ${assertion[operator]}`
    : `${demand} ${showValue(assertion[operator], LONGEST_VALUE)}`;
}

/** The answer, or answers, that an assertion is about. */
function answers({ turn = 'last' }: { turn?: Turn | undefined }): string {
  if (turn === 'last') return 'the answer';
  return typeof turn === 'number' ? `the answer in turn ${turn}` : `${turn} answer`;
}

function turnNote({ turn = 'last' }: { turn?: Turn | undefined }): string {
  if (turn === 'last') return '';
  return typeof turn === 'number' ? `, in turn ${turn}` : `, in ${turn} turn`;
}

function conversationEnd({ by, max_messages: most }: AssertionOf<'conversation_ended'>): string {
  const end = by === 'limit' ? 'a limit ends the conversation' : `the ${by ?? 'user'} ends the conversation`;
  return most === undefined ? end : `${end} after at most ${most} messages of the user`;
}

/** As the evaluator reads it: `{max: 3}` demands at least one call, `{max: 0}` none. */
function times(count: AssertionOf<'tool_called'>['times']): string {
  const { min, max } = typeof count === 'number' ? { min: count, max: count } : { min: count?.min, max: count?.max };
  const least = min ?? Math.min(1, max ?? 1);
  if (max === 0) return 'never called';
  if (max === undefined) return least === 1 ? 'called at least once' : `called at least ${least} times`;
  if (max === least) return max === 1 ? 'called exactly once' : `called exactly ${max} times`;
  return `called ${least} to ${max} times`;
}

function withArguments({ arguments: demanded }: Pick<AssertionOf<'tool_called'>, 'arguments'>): string {
  if (demanded === undefined) return '';
  return typeof demanded === 'string'
    ? ` with arguments where ${demanded}`
    : ` with ${showValue(demanded, LONGEST_VALUE)}`;
}

function listed(value: string | string[], word: 'and' | 'or'): string {
  return [value]
    .flat()
    .map((text) => showValue(text, LONGEST_VALUE))
    .join(` ${word} `);
}

function lengths({ min, max }: Pick<AssertionOf<'output_length'>, 'min' | 'max'>): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `${min} to ${max}`;
}

function showCode(code: string): string {
  return shorten(code.trim(), LONGEST_VALUE);
}

function foldedNote({ case_sensitive }: { case_sensitive: boolean }): string {
  return case_sensitive ? '' : ', in upper or lower case';
}

function stepsMeant({ step, agent }: Pick<AssertionOf<'step_latency'>, 'step' | 'agent'>): string {
  const which = step === undefined ? 'each step' : typeof step === 'number' ? `step ${step}` : `the ${step} step`;
  return agent === undefined ? which : `${which} of ${agent}`;
}
