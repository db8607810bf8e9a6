/** The fingerprint of the agents of a run: what they are made of, each with a hash or a version. */
export type AgentFiles = Record<string, string>;

/** How the keys of the settings of an adapter and of packages begin. All others are paths of files. */
export const SETTINGS = 'adapter ';
export const PACKAGE = 'package ';

/** What differs between two fingerprints, each a part of a sentence. Nothing is known of runs without one. */
export function agentDifferences(then: AgentFiles | undefined, now: AgentFiles | undefined): string[] {
  if (!then || !now) return [];
  const [before, after] = [new Map(Object.entries(then)), new Map(Object.entries(now))];
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((key) => {
    const [old, current] = [before.get(key), after.get(key)];
    if (old === current) return [];
    if (key.startsWith(PACKAGE)) return [`${key} ${old ?? 'not used'} → ${current ?? 'not used'}`];
    const what = key.startsWith(SETTINGS) ? `the settings of the ${key}` : key;
    return [`${what} ${old === undefined ? 'is new' : current === undefined ? 'is gone' : 'changed'}`];
  });
}
