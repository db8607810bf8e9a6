import type { Json } from '../../iac/evaluate/value.ts';
import { jsonInText } from '../../iac/read/code-node.ts';
import { foldedName } from '../../text/names.ts';

/** A value in a resource: an attribute, or anything inside of one. */
export interface Fact {
  /** Folded names from the outside in, without indices. */
  path: readonly string[];
  value: Json;
}

/** Further values of a resource are ignored. */
const MOST_FACTS = 20_000;

/** Every value in a value, itself first. A text that encodes JSON, such as a policy, counts as what it encodes. */
export function factsIn(value: Json, path: readonly string[] = []): Fact[] {
  const facts: Fact[] = [];
  const waiting: Fact[] = [{ path, value }];
  for (let fact = waiting.pop(); fact && facts.length < MOST_FACTS; fact = waiting.pop()) {
    facts.push(fact);
    waiting.push(...partsOf(fact).toReversed());
  }
  return facts;
}

function partsOf({ path, value }: Fact): Fact[] {
  const inner = typeof value === 'string' ? jsonInText(value) : value;
  if (Array.isArray(inner)) return inner.map((item) => ({ path, value: item }));
  if (typeof inner !== 'object' || inner === null) return [];
  return Object.entries(inner).map(([name, item]) => ({ path: [...path, foldedName(name)], value: item }));
}

/** Whether a path contains these names in this order, possibly with others in between. */
export function leadsThrough(path: readonly string[], names: readonly string[]): boolean {
  let next = 0;
  for (const step of path) if (step === names[next]) next += 1;
  return next === names.length;
}
