import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { checkManifest } from '../gate/check-manifest.ts';
import { createRulesChecker } from '../gate/create-rules-checker.ts';
import type { GateResult } from '../gate/gate-result.ts';
import type { TeamName } from '../teams/team-name.ts';
import type { ManifestGate } from './play-game.ts';

/** What the gate holds claims against, beside the code itself. */
export type TruthChecker = 'rules' | 'none';

/**
 * The gate for games of this Blue. Our rules help to tell truths from lies unless they are what is being tested: a
 * scanner that decides what counts finds everything that counts. Only who asks for it (`asked`) gets that.
 */
export function truthGate(blue: TeamName, asked?: TruthChecker): ManifestGate {
  const checker = asked ?? (usesRules(blue) ? 'none' : 'rules');
  return async ({ files, vulnerabilities }) =>
    checkManifest({
      files,
      vulnerabilities,
      checker: checker === 'rules' ? await createRulesChecker(files) : null,
    });
}

function usesRules(blue: TeamName): boolean {
  return blue.kind === 'several' ? blue.parts.some(usesRules) : blue.kind === 'rules';
}

/**
 * The gate for a Red that proves its own entries: each flaw was shown to be absent before its edit and present after, by
 * what the code comes to. No checker sees more, and one that sees less would call a well hidden flaw a lie.
 */
export function provenGate(vulnerabilities: readonly Vulnerability[]): GateResult {
  return {
    entries: vulnerabilities.map((vulnerability) => ({
      vulnerability,
      status: 'confirmed',
      checks: [{ check: 'rule', outcome: 'passed', reason: 'absent from the twin and present here, by construction' }],
    })),
    manifest_accuracy: vulnerabilities.length === 0 ? null : 1,
  };
}
