import type { Weakness } from '../../../match/weaknesses/weakness.ts';
import type { MutationOperator, MutationTarget } from '../../operators/operator.ts';

/** A place in secure code where a flaw could be planted. */
export interface InjectionSite {
  /** Unique in a template: the operator and its target. */
  key: string;
  operator: MutationOperator;
  target: MutationTarget;
  weakness: Weakness;
}

/** Whether a correct finding about one target may name the resource of the other. */
export function areRelated(a: MutationTarget, b: MutationTarget): boolean {
  const near = [a.address, ...a.related];
  return [b.address, ...b.related].some((address) => near.includes(address));
}

export function siteKey(
  operator: string,
  { address, attribute }: Pick<MutationTarget, 'address' | 'attribute'>,
): string {
  return `${operator} ${address} ${attribute ?? ''}`;
}
