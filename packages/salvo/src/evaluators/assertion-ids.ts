import { rowAssertions } from '../scenario/cases/case-fields.ts';
import { type AssertionNames, type ScenarioCases, scenarioCases } from '../scenario/cases/scenario-cases.ts';
import { sentenceName } from '../scenario/checks/assertion/expand-shorthand.ts';
import type { Assertion } from '../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import { contentHash } from '../text/json/canonical-json.ts';
import { isRecord } from '../text/json/is-record.ts';
import { remembered } from '../text/memo.ts';
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
  return scenarioCases(scenario, assertionNames(scenario.assertions));
}

/** An assertion with the id by which its results are stored. */
export type NamedAssertion = Assertion & { id: string };

const knownNames = new WeakMap<Scenario, NamedAssertion[]>();

/** All assertions of a scenario with their ids, then those of its rows: of several with one id, the first. */
export function namedAssertions(scenario: Scenario): NamedAssertion[] {
  return remembered(knownNames, scenario, () => {
    const { common, ofRow } = assertionNames(scenario.assertions);
    const found = scenario.assertions.map((assertion, index) => ({ ...assertion, id: common[index] ?? '' }));
    const ofRows = new Map<string, NamedAssertion>();
    for (const row of scenario.data ?? []) {
      const own = rowAssertions(row);
      for (const [index, id] of ofRow(own).entries()) {
        const assertion = own[index];
        if (assertion && !ofRows.has(id)) ofRows.set(id, { ...assertion, id });
      }
    }
    return [...found, ...ofRows.values()];
  });
}

function assertionNames(assertions: readonly Assertion[]): AssertionNames {
  const common = assertionIds(assertions);
  return {
    common,
    ofRow(own) {
      if (own.length === 0) return [];
      const taken = new Set(common);
      const given = own.map(({ id }) => (id === undefined ? undefined : unused(id, taken)));
      return own.map((assertion, index) => given[index] ?? unused(describeOwn(assertion), taken));
    },
  };
}

/** Like `describe`, but tells apart assertions of different rows: which others there are must not change an id. */
function describeOwn(assertion: Assertion): string {
  const { type, id: _, weight, required, ...fields } = assertion;
  if (demandOf(assertion) !== '' || Object.keys(fields).length === 0) return describe(assertion);
  const criteria: unknown = Reflect.get(fields, 'criteria');
  const said = Array.isArray(criteria) ? criteria.map(criterionText).join('; ') : showValue(fields, MAX_LENGTH);
  const text = `${type}:${said}`;
  return text.length <= MAX_LENGTH ? text : `${shorten(text, MAX_LENGTH - 8)} ${contentHash(fields).slice(0, 6)}`;
}

function criterionText(criterion: unknown): string {
  if (!isRecord(criterion)) return showValue(criterion, MAX_LENGTH);
  return plain(criterion.description ?? criterion.name);
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
