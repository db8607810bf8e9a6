import { SalvoError } from 'salvo/kit/text';
import type { ScannerContext } from '../blue/scanners/find-scanner.ts';
import { createScannerBlue } from '../blue/scanners/scanner-blue.ts';
import { SCANNERS } from '../blue/scanners/scanners.ts';
import { checkManifest } from '../gate/check-manifest.ts';
import { createRulesChecker } from '../gate/create-rules-checker.ts';
import { createScannerChecker } from '../gate/create-scanner-checker.ts';
import type { GateResult } from '../gate/gate-result.ts';
import type { RuleChecker } from '../gate/rule-checker.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import type { RedOutcome } from '../red/red-team.ts';
import type { TruthChecker, TwinPolicy } from '../tasks/game-settings.ts';
import { type BlueName, parseBlueName, singleTeams } from '../teams/team-name.ts';
import type { ManifestGate } from './game-setup.ts';

/**
 * The gate for games of these Blues. It uses the embedded rules unless a Blue uses them too: a scanner that decides
 * what counts would find everything that counts. An explicit `checker` is used in any case, but a scanner is refused if
 * it is one of the Blues.
 */
export function truthGate(
  blues: string | BlueName | readonly BlueName[],
  checker?: TruthChecker,
  context: ScannerContext = { env: process.env, root: process.cwd() },
): ManifestGate {
  const names = typeof blues === 'string' ? [parseBlueName(blues)] : [blues].flat();
  const usesRules = names.flatMap(singleTeams).some(({ kind }) => kind === 'rules');
  const problem = checker === undefined ? null : checkerProblem(names, checker);
  if (problem !== null) throw new SalvoError('OPTIONS_INVALID', `${problem}.`);
  const chosen = checker ?? (usesRules ? 'none' : 'rules');
  return async ({ files, vulnerabilities }) =>
    checkManifest({ files, vulnerabilities, checker: await createChecker(chosen, files, context) });
}

/** Why a checker cannot be used in games of these Blues; null when it can. */
export function checkerProblem(blues: readonly BlueName[], checker: TruthChecker): string | null {
  const isUnderTest = blues
    .flatMap(singleTeams)
    .some((team) => team.kind === 'scanner' && team.scanner.name === checker);
  return isUnderTest ? `${checker} cannot check what Red claims, since it is a Blue: choose another checker` : null;
}

async function createChecker(
  checker: TruthChecker,
  files: Record<string, string>,
  context: ScannerContext,
): Promise<RuleChecker | null> {
  if (checker === 'none') return null;
  if (checker === 'rules') return await createRulesChecker(files);
  const scanner = SCANNERS.find(({ name }) => name === checker);
  return scanner ? await createScannerChecker(createScannerBlue(scanner, context), files) : null;
}

/** What the gate decides about Red's manifest, and the entries that it confirms: these are scored. */
export async function gateManifest(
  { files, vulnerabilities, metadata }: RedOutcome,
  gate: ManifestGate,
): Promise<{ gate: GateResult; scored: Vulnerability[] }> {
  const result = metadata.proven ? provenGate(vulnerabilities) : await gate({ files, vulnerabilities });
  const confirmed = result.entries.filter(({ status }) => status === 'confirmed');
  return { gate: result, scored: confirmed.map(({ vulnerability }) => vulnerability) };
}

/**
 * The gate for a Red that proves its own entries: each flaw was shown to be absent before its edit and present after
 * it, in the evaluated code. No checker sees more, and one that sees less would call a well hidden flaw a lie.
 */
function provenGate(vulnerabilities: readonly Vulnerability[]): GateResult {
  return {
    entries: vulnerabilities.map((vulnerability) => ({
      vulnerability,
      status: 'confirmed',
      checks: [{ check: 'rule', outcome: 'passed', reason: 'absent from the twin and present here, by construction' }],
    })),
    manifest_accuracy: vulnerabilities.length === 0 ? null : 1,
  };
}

/** Whether a Blue also looks at the clean twin. One that may ask a model, which costs money, does so only if asked to. */
export function looksAtTwin(policy: TwinPolicy, mayAskModel: boolean): boolean {
  return policy === 'always' || (policy === 'scanners' && !mayAskModel);
}
