import { errorMessage } from 'salvo/kit/text';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { type Check, failed, passed, unchecked } from './gate-result.ts';

/**
 * Rules that decide whether a flaw is there. They should not be the scanner under test, which would mark its own work.
 */
export interface RuleChecker {
  name: string;
  /** Whether there is a rule for such a flaw. */
  covers(vulnerability: Vulnerability): boolean;
  /** Null when the rule cannot decide. */
  fires(vulnerability: Vulnerability): Promise<boolean | null> | boolean | null;
}

/** Whether a rule that covers a claim fires. A checker that throws decides nothing. */
export async function checkRule(checker: RuleChecker | null, vulnerability: Vulnerability): Promise<Check> {
  if (!checker) return unchecked('rule', 'there is no checker');
  const { name } = checker;
  try {
    if (!checker.covers(vulnerability)) return unchecked('rule', `${name} has no rule for it`);
    const fires = await checker.fires(vulnerability);
    if (fires === null) return unchecked('rule', `${name} cannot decide`);
    return fires
      ? passed('rule', `${name} also finds it`)
      : failed('rule', `${name} has a rule for it, which does not fire`);
  } catch (error) {
    const reason = errorMessage(error);
    return unchecked('rule', `${name} failed: ${reason}`);
  }
}
