import type { Finding } from '../match/claims/finding.ts';
import { anySameAddress, parseAddress } from '../match/claims/resource-address.ts';
import type { PlayedGame } from './played-game.ts';

/** Indices of false alarms about untouched resources. Duplicates, and what is told apart, are not among them. */
export function cleanAlarms({ red, blue, results }: PlayedGame): number[] {
  const clean = red?.metadata.clean_resources ?? [];
  if (!blue || !results || clean.length === 0) return [];
  const addresses = clean.map(parseAddress);
  const again = new Set([
    ...results.duplicates.map(({ findingIndex }) => findingIndex),
    ...results.consequences.map(({ findingIndex }) => findingIndex),
    ...results.presentBefore,
  ]);
  return results.falseAlarms.filter(
    (index) => !again.has(index) && anySameAddress(findingResources(blue.findings[index]).map(parseAddress), addresses),
  );
}

function findingResources(finding: Finding | undefined): string[] {
  return [finding?.resource ?? []].flat();
}
