import type { BlueTeam } from '../blue/blue-team.ts';
import { BlueTeamError } from '../blue/blue-team-error.ts';
import { createClaimSearch } from './claim-findings.ts';
import { readGatedCode } from './gated-code.ts';
import type { RuleChecker } from './rule-checker.ts';

/**
 * A scanner as a checker. It confirms an entry when it reports the same weakness at the same place. That it reports
 * nothing decides nothing: which types of resources and which forms of a value its rules read is not known here. A
 * scanner that does not read the language of the code covers nothing, and the other checks of the gate decide. Rejects
 * when the scanner fails.
 */
export async function createScannerChecker(
  scanner: BlueTeam,
  files: Readonly<Record<string, string>>,
): Promise<RuleChecker> {
  const { name } = scanner;
  const findings = await findingsOf(scanner, files);
  if (findings === null) return { name, covers: () => false, fires: () => null };
  const search = createClaimSearch(await readGatedCode(files), findings);
  return {
    name,
    covers: (vulnerability) => search(vulnerability).weaknesses.length > 0,
    fires: (vulnerability) => (search(vulnerability).found ? true : null),
  };
}

/** Null for code in a language that the scanner does not read. */
async function findingsOf(scanner: BlueTeam, files: Readonly<Record<string, string>>) {
  try {
    const { findings } = await scanner.analyze({ files: { ...files } });
    return findings;
  } catch (error) {
    if (error instanceof BlueTeamError && error.code === 'SCANNER_LANGUAGE_UNKNOWN') return null;
    throw error;
  }
}
