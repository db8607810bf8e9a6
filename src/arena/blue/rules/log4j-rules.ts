import { plainPath, readPath } from '../../../iac/read/attribute-path.ts';
import { type CodeNode, firstChild } from '../../../iac/read/code-node.ts';
import type { Subject } from './subject.ts';
import { badAt, GOOD, missingAt, UNKNOWN, type Verdict } from './verdict.ts';

const GROUP = 'AWSManagedRulesKnownBadInputsRuleSet';
/** Excluding a rule of the group means that it only counts. */
const RULE = /^Log4J/i;

/** One rule of a web ACL is the managed group against Log4j, and blocks what its rules find. */
export function judgeLog4jRules({ node }: Subject, path = 'rule'): Verdict {
  const readings = readPath(node, path);
  const rules = readings.flatMap(({ state, node: found }) => (state === 'known' ? found.items() : []));
  const groups = rules.flatMap((rule) => groupsIn(rule).map((found) => ({ rule, found })));
  const group = groups.find(({ found }) => firstChild(found, 'name', 'Name')?.json === GROUP);
  if (!group) {
    const names = groups.flatMap(({ found }) => firstChild(found, 'name', 'Name') ?? []);
    const [other] = names;
    if (readings.some(({ state }) => state === 'unknown') || [...rules, ...names].some((it) => !it.known))
      return UNKNOWN;
    return other ? badAt(other, plainPath(path), `no rule is ${GROUP}`) : missingAt(node, plainPath(path));
  }
  const { rule, found } = group;
  const override = firstChild(rule, 'override_action', 'OverrideAction');
  const count = override && firstChild(override, 'count', 'Count');
  if (count) return badAt(count, `${plainPath(path)}.override_action`, `${GROUP} only counts requests`);
  const excluded = namesOf(found, 'excluded_rule', 'ExcludedRules').find(({ json }) => RULE.test(String(json)));
  if (excluded) return badAt(excluded, `${plainPath(path)}.excluded_rule`, `${String(excluded.json)} is left out`);
  return GOOD;
}

function groupsIn(rule: CodeNode): CodeNode[] {
  const statements = [...rule.children('statement'), ...rule.children('Statement')];
  return statements.flatMap((one) => [
    ...one.children('managed_rule_group_statement'),
    ...one.children('ManagedRuleGroupStatement'),
  ]);
}

function namesOf(group: CodeNode, ...lists: string[]): CodeNode[] {
  const items = lists.flatMap((list) => group.children(list)).flatMap((it) => it.items());
  return items.flatMap((it) => [...it.children('name'), ...it.children('Name')]);
}
