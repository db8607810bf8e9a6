import type { GeneratedGame } from './generated-game.ts';

type Fields = Record<string, unknown>;

const PATTERNS: Record<string, string[]> = {
  encryption: ['encryption', 'sse', 'kms', 'tls'],
  access_control: ['public', 'acl', 'permission', 'access'],
  iam: ['iam', 'role', 'policy', 'privilege'],
  network: ['security group', 'cidr', 'ingress', 'egress'],
  logging: ['logging', 'audit', 'cloudtrail', 'monitoring'],
};

/** The documented score as anyone would first write it: every pair from its texts, then the best pair first. */
export function naiveMatches({ manifest, findings }: GeneratedGame, threshold: number): number {
  const pairs: { vulnerability: number; finding: number; score: number }[] = [];
  for (const [vulnerability, hidden] of manifest.vulnerabilities.entries()) {
    for (const [finding, reported] of findings.entries()) {
      const score = naiveScore(hidden, reported);
      if (score >= threshold) pairs.push({ vulnerability, finding, score });
    }
  }
  pairs.sort((a, b) => b.score - a.score);
  const [vulnerabilities, taken] = [new Set<number>(), new Set<number>()];
  for (const { vulnerability, finding } of pairs) {
    if (vulnerabilities.has(vulnerability) || taken.has(finding)) continue;
    vulnerabilities.add(vulnerability);
    taken.add(finding);
  }
  return taken.size;
}

function naiveScore(a: Fields, b: Fields): number {
  const [wordsOfA, wordsOfB] = [keywords(a), keywords(b)];
  const common = [...wordsOfA].filter((word) => wordsOfB.has(word)).length;
  const either = new Set([...wordsOfA, ...wordsOfB]).size;
  return (
    (categories(a).some((category) => categories(b).includes(category)) ? 0.3 : 0) +
    (a.resource === b.resource ? 0.25 : 0) +
    (either === 0 ? 0 : 0.25 * (common / either)) +
    (a.severity === b.severity ? 0.2 : 0)
  );
}

function keywords(fields: Fields): Set<string> {
  return new Set(
    textOf(fields)
      .split(/[^a-z0-9]+/)
      .filter((word) => word.length > 2),
  );
}

function categories(fields: Fields): string[] {
  const text = textOf(fields);
  return Object.keys(PATTERNS).filter((name) => PATTERNS[name]?.some((pattern) => text.includes(pattern)));
}

function textOf({ type, resource, description }: Fields): string {
  return `${type} ${resource} ${description}`.toLowerCase();
}
