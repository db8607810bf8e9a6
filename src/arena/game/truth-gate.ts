import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { checkManifest } from '../gate/check-manifest.ts';
import { createRulesChecker } from '../gate/create-rules-checker.ts';
import type { GateResult } from '../gate/gate-result.ts';
import { type BlueName, parseBlueName, singleTeams } from '../teams/team-name.ts';
import type { ManifestGate } from './game-setup.ts';

/** What the gate checks claims with, in addition to the code itself. */
export type TruthChecker = 'rules' | 'none';

/**
 * The gate for games of these Blues. It uses the embedded rules unless a Blue uses them too: a scanner that decides
 * what counts would find everything that counts. An explicit `checker` is used in any case.
 */
export function truthGate(blues: string | BlueName | readonly BlueName[], checker?: TruthChecker): ManifestGate {
  const names = typeof blues === 'string' ? [parseBlueName(blues)] : [blues].flat();
  const usesRules = names.flatMap(singleTeams).some(({ kind }) => kind === 'rules');
  const chosen = checker ?? (usesRules ? 'none' : 'rules');
  return async ({ files, vulnerabilities }) =>
    checkManifest({ files, vulnerabilities, checker: chosen === 'rules' ? await createRulesChecker(files) : null });
}

/**
 * The gate for a Red that proves its own entries: each flaw was shown to be absent before its edit and present after
 * it, in the evaluated code. No checker sees more, and one that sees less would call a well hidden flaw a lie.
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
