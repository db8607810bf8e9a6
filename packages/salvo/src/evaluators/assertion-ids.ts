import { type ScenarioCases, scenarioCases } from '../scenario/cases/scenario-cases.ts';
import { sentenceName } from '../scenario/checks/assertion/expand-shorthand.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { isRecord } from '../text/json/is-record.ts';
import { shorten, showValue } from './show-value.ts';

const MAX_LENGTH = 80;

/**
 * A name for every assertion of a scenario, by which failures are grouped. It is the same in every trial and run: the
 * assertion's own id, or one made from its fields. Repeated names get `#2`, `#3`, in the order of the file.
 */
export function assertionIds(assertions: readonly Assertion[]): string[] {
  // Given ids keep their name even if a generated one comes first.
  const taken = new Set<string>();
  const given = assertions.map(({ id }) => (id === undefined ? undefined : unused(id, taken)));
  return assertions.map((assertion, index) => given[index] ?? unused(describe(assertion), taken));
}

/** The cases of a scenario, whose assertions have the same ids in all of them: failures are grouped by id. */
export function namedCases(scenario: Scenario): ScenarioCases {
  return scenarioCases(scenario, assertionIds(scenario.assertions));
}

function unused(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let count = 2; taken.has(id); count += 1) id = `${wanted}#${count}`;
  taken.add(id);
  return id;
}

function describe(assertion: Assertion): string {
  const demand = [demandOf(assertion), 'turn' in assertion ? turnName(assertion.turn) : ''].filter(Boolean).join(', ');
  return demand === '' ? assertion.type : shorten(`${assertion.type}:${demand}`, MAX_LENGTH);
}

function demandOf(assertion: Assertion): string {
  switch (assertion.type) {
    case 'jmespath': {
      const value = assertion.value === undefined ? '' : ` ${showValue(assertion.value, 40)}`;
      return `${assertion.expression} ${assertion.operator}${value}`;
    }
    case 'tool_called':
    case 'tool_not_called':
      return `${assertion.tool}${assertion.arguments === undefined ? '' : ` ${plain(assertion.arguments)}`}`;
    case 'tool_sequence':
      return Array.isArray(assertion.sequence) ? assertion.sequence.map(plain).join(' > ') : '';
    case 'output_contains':
    case 'output_contains_any':
    case 'output_not_contains':
    case 'output_equals':
    case 'output_not_equals':
    case 'output_starts_with':
    case 'output_not_starts_with':
    case 'output_similar':
      return showValue(assertion.value, 60);
    case 'output_matches':
    case 'output_not_matches':
      return `/${assertion.pattern}/`;
    case 'output_length':
      return lengthName(assertion);
    case 'javascript':
      return `${assertion.code}`.trim().replaceAll(/\s+/g, ' ');
    case 'judge':
      return sentenceOf(assertion.criteria);
    case 'cost_limit':
      return `${assertion.max_usd} USD`;
    case 'latency_limit':
      return `${assertion.max_seconds} s`;
    case 'step_latency':
      return stepName(`${assertion.max_seconds} s`, assertion.step, assertion.agent);
    case 'step_cost':
      return stepName(`${assertion.max_usd} USD`, assertion.step, assertion.agent);
    case 'conversation_ended':
      return `${assertion.by ?? ''}`;
    case 'custom':
      return `${assertion.module}${assertion.function === undefined ? '' : `:${assertion.function}`}`;
    default:
      return '';
  }
}

/** Of a judge in one sentence: the sentence. Other judges have no name of their own. */
function sentenceOf(criteria: unknown): string {
  const [only, ...others] = Array.isArray(criteria) ? criteria.filter(isRecord) : [];
  const { name, description } = only ?? {};
  if (others.length > 0 || typeof description !== 'string' || description.includes('{{')) return '';
  return name === sentenceName(description) ? name : '';
}

function lengthName({ min, max, unit = 'characters' }: Record<string, unknown>): string {
  const least = min === undefined ? '' : `at least ${min} `;
  return `${least}${max === undefined ? '' : `at most ${max} `}${unit}`;
}

/** Of an assertion that is not about the last answer. */
function turnName(turn: unknown): string {
  return turn === undefined || turn === 'last' ? '' : `turn ${turn}`;
}

function stepName(limit: string, step: unknown, agent: unknown): string {
  return [limit, step === undefined ? undefined : `step ${step}`, agent]
    .filter((part) => part !== undefined)
    .join(', ');
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : showValue(value, 60);
}
