import type { Vulnerability } from '../../match/claims/vulnerability.ts';

/** Rules that tell whether a flaw is there. It should not be the scanner under test: that one would mark its own work. */
export interface RuleChecker {
  name: string;
  /** Whether there is a rule for such a flaw. */
  covers(vulnerability: Vulnerability): boolean;
  /** Null when the rule cannot tell. */
  fires(vulnerability: Vulnerability): Promise<boolean | null> | boolean | null;
}
