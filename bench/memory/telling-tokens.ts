import type { MemoryGame } from './memory-games.ts';
import { valueTokens } from './remembering-blues.ts';

const OFTEN = 20;

/**
 * Words of security: what they say is knowledge about security, and not about the benchmark. A flaw puts them there, or
 * replaces them.
 */
const SECURITY_WORDS: ReadonlySet<string> = new Set([
  // The rights of an administrator.
  'arn:aws:iam::aws:policy/AdministratorAccess',
  // Encryption with a key of one's own.
  'aws:kms',
  // `require_secure_transport` and a second factor.
  'ON',
]);

interface Count {
  guilty: number;
  innocent: number;
}

/** Tokens that occur in many resources, and only in flawed or only in innocent ones. */
export function tokenLines(games: readonly MemoryGame[]): string[] {
  const resources = games.flatMap((game) => game.resources);
  const base = resources.filter(({ isGuilty }) => isGuilty).length / resources.length;
  const counts = new Map<string, Count>();
  for (const { values, isGuilty } of resources) {
    for (const token of new Set([...values.values()].flatMap(valueTokens))) {
      const { guilty, innocent } = counts.get(token) ?? { guilty: 0, innocent: 0 };
      counts.set(token, { guilty: guilty + Number(isGuilty), innocent: innocent + Number(!isGuilty) });
    }
  }
  const often = [...counts].filter(([, { guilty, innocent }]) => guilty + innocent >= OFTEN);
  const others = often.filter(([token]) => !SECURITY_WORDS.has(token));
  const onlyGuilty = others.filter(([, { innocent }]) => innocent === 0);
  const onlyInnocent = others.filter(([, { guilty }]) => guilty === 0);
  // Of 20 resources, none is flawed by chance in one case of ten: more than that is said by a probability below 1 in 1,000.
  const telling = onlyInnocent.filter(([, { innocent }]) => (1 - base) ** innocent < 0.001);
  const expected = others.reduce((sum, [, { guilty, innocent }]) => sum + (1 - base) ** (guilty + innocent), 0);
  return [
    `${often.length} tokens of values are in ${OFTEN} resources or more; left out as words of security: ${[...SECURITY_WORDS].join(', ')}`,
    `  only in flawed resources: ${list(onlyGuilty)}`,
    `  only in innocent ones: ${onlyInnocent.length}, by chance ${expected.toFixed(0)}; more often than by chance: ${list(telling)}`,
  ];
}

function list(tokens: readonly [string, Count][]): string {
  if (tokens.length === 0) return 'none';
  return tokens.map(([token, { guilty, innocent }]) => `${token} (${guilty + innocent})`).join(', ');
}
