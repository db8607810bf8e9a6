import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { scoreResultsToDict } from '../../match/results/score-results-to-dict.ts';
import type { EntryStatus, GateEntry } from '../gate/gate-result.ts';
import type { PlayedGame } from './played-game.ts';

/**
 * The files of a game's folder by path. A game that failed has the files of the stages before: what Red made may have
 * been paid for, and is kept.
 */
export function gameFiles({ game, red, gate, blue, scored, results }: PlayedGame): Map<string, string> {
  const files = new Map<string, string>();
  for (const [name, text] of Object.entries(red?.files ?? {})) files.set(`code/${name}`, text);
  for (const [name, text] of Object.entries(red?.metadata.twin ?? {})) files.set(`twin/${name}`, text);
  if (red) files.set('vulnerability_manifest.json', manifest(red.vulnerabilities));
  if (gate) {
    files.set('scored_manifest.json', manifest(scored));
    files.set('phantom_manifest.json', manifest(entriesWithChecks(gate.entries, 'phantom')));
    const unchecked = entriesWithChecks(gate.entries, 'unchecked');
    if (unchecked.length > 0) files.set('unchecked_manifest.json', manifest(unchecked));
  }
  if (blue) files.set('findings.json', json(blue.findings));
  if (results) files.set('scores.json', json(scoreResultsToDict(results)));
  return files.set('game.json', json(game));
}

/** Entries that are not scored, each with the reason. */
function entriesWithChecks(entries: readonly GateEntry[], wanted: EntryStatus): Vulnerability[] {
  return entries
    .filter(({ status }) => status === wanted)
    .map(({ vulnerability, checks }) => ({ ...vulnerability, gate: { status: wanted, checks } }));
}

function manifest(vulnerabilities: readonly Vulnerability[]): string {
  return json({ vulnerabilities });
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
