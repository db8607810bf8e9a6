import type { Weakness } from '../../../match/weaknesses/weakness.ts';
import type { MutationOperator, MutationTarget } from '../operators/operator.ts';

/** A place in secure code where a flaw could be planted. */
export interface Opening {
  /** Of the operator and the target: no two are the same in one template. */
  key: string;
  operator: MutationOperator;
  target: MutationTarget;
  weakness: Weakness;
}

export function openingKey(
  operator: string,
  { address, attribute }: Pick<MutationTarget, 'address' | 'attribute'>,
): string {
  return `${operator} ${address} ${attribute ?? ''}`;
}
