import type { Finding } from '../../../match/claims/finding.ts';
import type { Rule } from './rule.ts';
import type { Subject } from './subject.ts';
import type { Verdict } from './verdict.ts';

const SURE = 0.95;
/** It is not known whether there will be such a resource. */
const DOUBTFUL = 0.7;

export function findingOf(rule: Rule, subject: Subject, verdict: Extract<Verdict, { result: 'bad' }>): Finding {
  const { spot, attribute, detail, involves = [] } = verdict;
  const resource = [subject.address, ...involves.filter((address) => address !== subject.address)];
  return {
    type: rule.category,
    resource: resource.length === 1 ? subject.address : resource,
    severity: rule.severity,
    title: rule.title,
    description: `${subject.address}: ${detail}. ${rule.description}`,
    evidence: spot.text,
    remediation: rule.fix,
    source: 'salvo-rules',
    confidence: subject.view?.certain === false ? DOUBTFUL : SURE,
    file: spot.file,
    line: spot.line,
    end_line: spot.end_line,
    attribute,
    rule_id: rule.id,
    rule_ids: [rule.weakness, ...rule.cwe.map((number) => `CWE-${number}`)],
  };
}
