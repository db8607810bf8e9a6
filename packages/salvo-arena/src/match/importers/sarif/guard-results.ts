import type { Finding } from '../../claims/finding.ts';
import { configRuleId } from '../cfn-guard/guard-message.ts';

/**
 * cfn-guard writes a result for each failed clause of a rule, dozens for one resource, and every one of them is an
 * error. One finding is left for each rule and resource, without a severity.
 */
export function oneByRuleAndResource(findings: readonly Finding[]): Finding[] {
  const byRule = Map.groupBy(findings, ({ file, rule_id }) => JSON.stringify([file, rule_id]));
  return [...byRule.values()].flatMap((ofRule) => {
    const byResource = Map.groupBy(ofRule, ({ resource }) => [resource ?? ''].flat().join());
    // Clauses about what a rule computed have no place. They belong to the resources that its other clauses name.
    if (byResource.size > 1) byResource.delete('');
    return [...byResource.values()].map(mergedFinding);
  });
}

function mergedFinding(findings: readonly Finding[]): Finding {
  // A clause with the words of the rule's author says more than one with cfn-guard's own.
  const { severity: _, ...finding } =
    findings.find(({ title }) => !title?.startsWith('Check was not compliant')) ?? findings[0] ?? {};
  const attributes = [...new Set(findings.flatMap(({ attribute }) => attribute ?? []))];
  const [only] = attributes;
  const config = configRuleId(finding.rule_id ?? '');
  return {
    ...finding,
    ...(attributes.length > 0 ? { attribute: attributes.length > 1 ? attributes : only } : {}),
    ...(config === undefined ? {} : { rule_ids: [config, ...(finding.rule_ids ?? [])] }),
  };
}
