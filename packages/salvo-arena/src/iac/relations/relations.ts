import type { Scope } from '../evaluate/scope.ts';
import { type Cloud, cloudOf } from './cloud.ts';
import { ESCALATIONS } from './families/escalation.ts';
import { EVENT_PATHS } from './families/event-path.ts';
import { NETWORK_PATHS } from './families/network-path.ts';
import { POLICY_LOGIC } from './families/policy-logic.ts';
import { RECOVERY } from './families/recovery.ts';
import { ROLE_CHAINS } from './families/role-chain.ts';
import { RULE_ORDERS } from './families/rule-order.ts';
import type { Facts, Relation, RelationalFlaw } from './relation.ts';

/** All relations that are a flaw. Red proves by them what it planted, and the gate confirms a claim by them. */
export const RELATIONS: readonly Relation[] = [
  ...ROLE_CHAINS,
  ...ESCALATIONS,
  ...NETWORK_PATHS,
  ...RULE_ORDERS,
  ...EVENT_PATHS,
  ...POLICY_LOGIC,
  ...RECOVERY,
];

/** The flaws of evaluated code that only the relation of several resources shows. */
export function relationalFlaws(scope: Scope, weaknesses?: readonly string[]): RelationalFlaw[] {
  const cloud = cloudOf(scope);
  const wanted = RELATIONS.filter(({ weakness }) => weaknesses === undefined || weaknesses.includes(weakness));
  return wanted.flatMap(({ weakness, family, find }) =>
    find(cloud).map((facts) => ({ weakness, family, ...placed(cloud, facts) })),
  );
}

function placed(cloud: Cloud, facts: Facts): Pick<RelationalFlaw, 'resources' | 'facts'> {
  const unique = [...new Map(facts.map((one) => [`${one.thing.address} ${one.says}`, one])).values()];
  return {
    resources: [...new Set(unique.map(({ thing }) => thing.address))],
    facts: unique.map(({ thing, says, attribute }) => ({
      resource: thing.address,
      ...cloud.place(thing, attribute),
      says,
    })),
  };
}
