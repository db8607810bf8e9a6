import { knownItems, plainPath, readPath } from '../../iac/read/attribute-path.ts';
import { type CodeNode, firstChild } from '../../iac/read/code-node.ts';
import type { Subject } from './subject.ts';
import { badAt, GOOD, missingAt, UNKNOWN, type Verdict } from './verdict.ts';

const GROUP = 'AWSManagedRulesKnownBadInputsRuleSet';
/** A rule of the group that is excluded only counts requests. */
const RULE = /^Log4J/i;

/** One rule of a web ACL is the managed group against Log4j, and blocks what its rules find. */
export function judgeLog4jRules({ node, type }: Subject, path = 'rule'): Verdict {
  const attribute = plainPath(path);
  const readings = readPath(node, path);
  const rules = knownItems(node, path);
  const groups = rules.flatMap((rule) => groupsIn(rule).map((group) => ({ rule, group })));
  const right = groups.find(({ group }) => nameOf(group)?.json === GROUP);
  if (!right) {
    const names = groups.flatMap(({ group }) => nameOf(group) ?? []);
    const isUnknown = readings.some(({ state }) => state === 'unknown') || [...rules, ...names].some((it) => !it.known);
    const [other] = names;
    if (isUnknown) return UNKNOWN;
    return other ? badAt(other, attribute, `no rule is ${GROUP}`) : missingAt(node, attribute);
  }
  const isTemplate = type.includes('::');
  const override = firstChild(right.rule, 'override_action', 'OverrideAction');
  const count = override && firstChild(override, 'count', 'Count');
  if (count) {
    const action = isTemplate ? 'OverrideAction' : 'override_action';
    return badAt(count, `${attribute}.${action}`, `${GROUP} only counts requests`);
  }
  const excluded = excludedIn(right.group).find(({ json }) => RULE.test(String(json)));
  const list = isTemplate ? 'ExcludedRules' : 'excluded_rule';
  return excluded ? badAt(excluded, `${attribute}.${list}`, `${String(excluded.json)} only counts requests`) : GOOD;
}

function groupsIn(rule: CodeNode): CodeNode[] {
  const statements = [...rule.children('statement'), ...rule.children('Statement')];
  return statements.flatMap((one) => [
    ...one.children('managed_rule_group_statement'),
    ...one.children('ManagedRuleGroupStatement'),
  ]);
}

/** The names of the rules that are excluded from a group. */
function excludedIn(group: CodeNode): CodeNode[] {
  const rules = [...group.children('excluded_rule'), ...group.children('ExcludedRules')].flatMap((it) => it.items());
  return rules.flatMap((rule) => nameOf(rule) ?? []);
}

function nameOf(node: CodeNode): CodeNode | undefined {
  return firstChild(node, 'name', 'Name');
}
