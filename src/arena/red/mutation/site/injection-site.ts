import type { Weakness } from '../../../../match/weaknesses/weakness.ts';
import type { MutationOperator, MutationTarget } from '../../operators/operator.ts';

/** A place in secure code where a flaw could be planted. */
export interface InjectionSite {
  /** Unique in a template: the operator and its target. */
  key: string;
  operator: MutationOperator;
  target: MutationTarget;
  weakness: Weakness;
}

export function siteKey(
  operator: string,
  { address, attribute }: Pick<MutationTarget, 'address' | 'attribute'>,
): string {
  return `${operator} ${address} ${attribute ?? ''}`;
}
