import type { Finding } from '../match/claims/finding.ts';
import { parseAddress, sameAddress } from '../match/claims/resource-address.ts';
import type { Vulnerability } from '../match/claims/vulnerability.ts';
import { weaknessById, weaknessesOfRule } from '../match/weaknesses/weaknesses.ts';
import { claimedBlocks } from './claimed-blocks.ts';
import { readGatedClaim } from './gated-claim.ts';
import { blocksAround, type GatedCode } from './gated-code.ts';

/** Looks claims up among the findings of a checker: by their weaknesses, and by the blocks that they are about. */
export function createClaimSearch(code: GatedCode, findings: readonly Finding[]) {
  const known = findings.map(({ resource, rule_id, rule_ids }) => ({
    weaknesses: [rule_id ?? '', ...(rule_ids ?? [])].flatMap((id) => weaknessesOfRule(id)),
    addresses: [resource ?? []].flat().map(parseAddress),
  }));
  return (vulnerability: Vulnerability) => {
    const claim = readGatedClaim(vulnerability);
    const { weaknesses } = claim;
    const { blocks } = claimedBlocks(code, claim);
    const near = [...blocksAround(blocks)].flatMap((block) => block.addresses());
    const found = known.some(
      (finding) =>
        finding.weaknesses.some((id) => weaknesses.some((weakness) => isAbout(id, weakness))) &&
        finding.addresses.some((address) => near.some((other) => sameAddress(other, address))),
    );
    // A claim without a resource and a place could mean any of the findings.
    return { weaknesses, blocks, found, isPlaced: blocks.length > 0 || namesPlace(vulnerability) };
  };
}

function namesPlace({ resource, file }: Vulnerability): boolean {
  return [resource ?? '', file ?? ''].flat().some((text) => text.trim() !== '');
}

/** A related weakness counts as well: a narrower or wider case that is easily confused. */
function isAbout(id: string, weakness: string): boolean {
  if (id === weakness) return true;
  return Boolean(weaknessById(weakness)?.related.includes(id) || weaknessById(id)?.related.includes(weakness));
}
