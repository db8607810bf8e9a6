import { contentHash } from 'salvo/kit/text';
import type { Finding } from '../../match/claims/finding.ts';
import { resourceNames } from '../score/describe-claim.ts';

/**
 * Returns a function that identifies one finding after the other. The same finding keeps its fingerprint when lines
 * above it change, so it has no line. Repetitions are numbered.
 */
export function createFingerprints(): (finding: Finding) => string {
  const seen = new Map<string, number>();
  return (finding) => {
    const { file, attribute, title } = finding;
    const id = contentHash([ruleOf(finding), resourceNames(finding), file ?? '', attribute ?? '', title ?? '']);
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return `${id.slice(0, 32)}:${count + 1}`;
  };
}

/** The rule that a finding is of; its kind if it names none. */
export function ruleOf({ rule_id, type }: Finding): string {
  return rule_id?.trim() || type?.trim() || 'finding';
}
