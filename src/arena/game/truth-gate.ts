import type { BlueName } from '../blue/blue-name.ts';
import { checkManifest } from '../gate/check-manifest.ts';
import { createRulesChecker } from '../gate/create-rules-checker.ts';
import type { ManifestGate } from './play-game.ts';

/** What the gate holds claims against, beside the code itself. */
export type TruthChecker = 'rules' | 'none';

/**
 * The gate for games of this Blue. Our rules help to tell truths from lies unless they are what is being tested: a
 * scanner that decides what counts finds everything that counts. Only who asks for it (`asked`) gets that.
 */
export function truthGate(blue: BlueName, asked?: TruthChecker): ManifestGate {
  const checker = asked ?? (usesRules(blue) ? 'none' : 'rules');
  return async ({ files, vulnerabilities }) =>
    checkManifest({
      files,
      vulnerabilities,
      checker: checker === 'rules' ? await createRulesChecker(files) : null,
    });
}

function usesRules(blue: BlueName): boolean {
  return blue.kind === 'several' ? blue.parts.some(usesRules) : blue.kind === 'rules';
}
