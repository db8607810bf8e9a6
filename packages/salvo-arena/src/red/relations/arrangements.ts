import type { CodeLanguage } from '../../iac/syntax/code-block.ts';
import type { Arrangement } from './arrangement.ts';
import { ESCALATIONS } from './arrangements/escalation.ts';
import { EVENT_PATHS } from './arrangements/event-path.ts';
import { NETWORK_PATHS } from './arrangements/network-path.ts';
import { POLICY_LOGIC } from './arrangements/policy-logic.ts';
import { RECOVERY } from './arrangements/recovery.ts';
import { ROLE_CHAINS } from './arrangements/role-chain.ts';
import { RULE_ORDERS } from './arrangements/rule-order.ts';

const ARRANGEMENTS: readonly Arrangement[] = [
  ...ROLE_CHAINS,
  ...ESCALATIONS,
  ...NETWORK_PATHS,
  ...RULE_ORDERS,
  ...EVENT_PATHS,
  ...POLICY_LOGIC,
  ...RECOVERY,
];

export function arrangementsFor(language: CodeLanguage): readonly Arrangement[] {
  return ARRANGEMENTS.filter((one) => (one.language ?? language) === language);
}
