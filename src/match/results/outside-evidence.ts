import type { Candidate } from '../candidates/candidate-list.ts';
import type { Game } from '../claims/match-input.ts';
import { createEvidenceMatcher } from '../evidence/evidence-matcher.ts';
import { cleanFigures, NOTHING_CLEAN } from './clean-resources.ts';
import { manifestCheck, UNCHECKED } from './manifest-check.ts';
import type { AnchorInput } from './outside-evidence-input.ts';
import type { Pairing } from './pairing.ts';
import type { Anchors } from './score-results.ts';
import { toolClaims } from './tool-claims.ts';
import { NO_TOOLS, toolAnchors } from './tool-evidence.ts';

/** What counts as the same with the evidence matcher, whichever one the game was scored with. */
const SAME = 0.5;

/** What is known from outside about a game that has been scored. Indices in it are those of the input. */
export function anchorsOf(
  { toolFindings, confirmed, cleanResources }: AnchorInput,
  scored: { game: Game; pairing: Pairing; duplicates: readonly Candidate[] },
): Anchors {
  const { game, pairing } = scored;
  return {
    ...(toolFindings === undefined || toolFindings === null ? NO_TOOLS : toolPart(toolFindings, scored)),
    ...(confirmed ? manifestCheck(confirmed, inInputOrder(game, pairing)) : UNCHECKED),
    ...(cleanResources ? cleanPart(cleanResources, scored) : NOTHING_CLEAN),
  };
}

function toolPart(toolFindings: unknown, { game, pairing }: { game: Game; pairing: Pairing }) {
  const { vulnerabilities, findings } = game;
  const anchors = toolAnchors({
    vulnerabilities: vulnerabilities.claims,
    findings: findings.claims,
    matches: pairing.chosen,
    falseAlarms: unmatched(pairing),
    tools: toolClaims(toolFindings),
    createMatcher: createEvidenceMatcher,
    floor: SAME,
  });
  return {
    ...anchors,
    corroborated: inputPositions(anchors.corroborated, vulnerabilities.positions),
    supportedAlarms: inputPositions(anchors.supportedAlarms, findings.positions),
  };
}

function inputPositions(indices: readonly number[] | null, positions: readonly number[]): number[] | null {
  return indices === null ? null : indices.map((index) => positions[index] ?? 0).sort((a, b) => a - b);
}

function cleanPart(
  cleanResources: readonly string[],
  { game, pairing, duplicates }: { game: Game; pairing: Pairing; duplicates: readonly Candidate[] },
) {
  const isDuplicate = new Set(duplicates.map(({ finding }) => finding));
  const vulnerabilities = game.vulnerabilities.claims.length;
  return cleanFigures(cleanResources, {
    alarms: unmatched(pairing)
      .filter((finding) => !isDuplicate.has(finding))
      .map((finding) => game.findings.claims[finding]?.resources ?? []),
    recall: vulnerabilities === 0 ? null : pairing.chosen.length / vulnerabilities,
  });
}

function unmatched({ vulnerabilityOf }: Pairing): number[] {
  return [...vulnerabilityOf.keys()].filter((finding) => vulnerabilityOf[finding] === -1);
}

function inInputOrder({ labels, vulnerabilities }: Game, { findingOf }: Pairing): { id: string; found: boolean }[] {
  const listed = labels.map(({ id }) => ({ id, found: false }));
  for (const [index, position] of vulnerabilities.positions.entries()) {
    const vulnerability = listed[position];
    if (vulnerability) vulnerability.found = findingOf[index] !== -1;
  }
  return listed;
}
