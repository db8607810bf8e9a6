import { sameResource } from '../claims/resource-address.ts';
import type { Vulnerability } from '../claims/vulnerability.ts';
import type { NotJudged } from '../importers/findings-format.ts';
import { relateRules } from '../weaknesses/relate-rules.ts';

/**
 * Which flaws the scanner says it could not judge: indices of flaws. A rule for the flaw's weakness failed at its
 * resource, so the scanner has neither found the flaw nor called the resource sound.
 */
export function notJudgedFlaws(vulnerabilities: readonly Vulnerability[], checks: readonly NotJudged[]): Set<number> {
  if (checks.length === 0) return new Set();
  const isOf = ({ rule_ids, weakness, resource }: Vulnerability, check: NotJudged) =>
    check.resource !== null &&
    sameResource(textsOf(resource), [check.resource]) &&
    relateRules([...textsOf(rule_ids), ...textsOf(weakness)], [check.rule_id]) === 'same';
  return new Set(
    [...vulnerabilities.keys()].filter((index) => {
      const vulnerability = vulnerabilities[index];
      return vulnerability !== undefined && checks.some((check) => isOf(vulnerability, check));
    }),
  );
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}
