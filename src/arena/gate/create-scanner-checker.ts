import type { BlueTeam } from '../blue/blue-team.ts';
import { createClaimSearch } from './claim-findings.ts';
import { readGatedCode } from './gated-code.ts';
import type { RuleChecker } from './rule-checker.ts';

/**
 * A scanner as a checker. It confirms an entry when it reports the same weakness at the same place. That it reports
 * nothing decides nothing: which types of resources and which forms of a value its rules read is not known here.
 * Rejects when the scanner fails.
 */
export async function createScannerChecker(
  scanner: BlueTeam,
  files: Readonly<Record<string, string>>,
): Promise<RuleChecker> {
  const { findings } = await scanner.analyze({ files: { ...files } });
  const search = createClaimSearch(await readGatedCode(files), findings);
  return {
    name: scanner.name,
    covers: (vulnerability) => search(vulnerability).weaknesses.length > 0,
    fires: (vulnerability) => (search(vulnerability).found ? true : null),
  };
}
