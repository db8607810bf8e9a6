import { remembered } from 'salvo/kit/text';
import type { Finding } from '../match/claims/finding.ts';
import { readClaim } from '../match/claims/read-claim.ts';
import { addressKey, parseAddress, sameAddress } from '../match/claims/resource-address.ts';
import { readSeverity } from '../match/claims/severity.ts';
import type { ScoreResults } from '../match/results/score-results.ts';
import { mainFigures, scoreResultsToDict } from '../match/results/score-results-to-dict.ts';
import { findingsAbout } from '../match/results/twin-comparison.ts';
import { unresolvedWords } from '../match/results/unresolved.ts';
import { alarmCategory } from './alarm-category.ts';
import type { GameScores, ListedFinding } from './game-document.ts';
import type { PlayedGame } from './played-game.ts';

/** A report can have any number of findings, and a document is kept for each game. */
const MOST_LISTED = 1000;
const LONGEST_TITLE = 300;

/** What a game's document keeps of its scores: enough to aggregate, to compare Blues flaw by flaw, and to check. */
export function gameScores(results: ScoreResults, played: Omit<PlayedGame, 'game'>): GameScores {
  const document = scoreResultsToDict(results);
  const matches = new Map(document.matches.map((match) => [match.vulnerability_index, match.finding_index]));
  const clean = new Set(played.red?.metadata.clean_resources).size;
  return {
    ...mainFigures(document),
    duplicates: document.duplicates.length,
    precision_used: document.precision_used,
    precision_by_twin: document.precision_by_twin,
    f1_by_twin: document.f1_by_twin,
    false_alarms_by_twin: document.false_alarms_by_twin?.length ?? null,
    unresolved: document.unresolved?.length ?? null,
    precision_without_unresolved: document.precision_without_unresolved,
    consequences: document.consequences.length,
    present_before: document.present_before.length,
    ...trapScores(results, played),
    twin: twinScores(results, played),
    clean_resources: clean,
    flagged_clean_resources: clean - (document.anchors?.true_negatives ?? clean),
    false_positive_rate: document.anchors?.false_positive_rate ?? null,
    youden_j: document.anchors?.youden_j ?? null,
    vulnerabilities: played.scored.map(({ id, type, severity, technique, weakness, resource }, index) => {
      const finding = matches.get(index);
      return {
        id,
        category: type?.trim().toLowerCase() || 'unstated',
        severity: readSeverity(severity),
        technique: technique?.trim() || null,
        weakness: typeof weakness === 'string' ? weakness : null,
        resource: resourceText(resource),
        found: finding !== undefined,
        found_by: finding === undefined ? null : listed(played.blue?.findings, finding),
      };
    }),
    other_findings: otherFindings(results, played),
    clean_alarms: (results.cleanAlarms ?? [])
      .slice(0, MOST_LISTED)
      .map((index) => listed(played.blueOnTwin?.findings, index)),
  };
}

/** On how many places that look flawed and are safe Blue reports the flaw. What a flaw nearby caused does not count. */
function trapScores(results: ScoreResults, { red, blue }: Omit<PlayedGame, 'game'>): Pick<GameScores, 'traps'> {
  const traps = red?.metadata.traps;
  if (!traps || !blue) return {};
  const { duplicates, consequences, presentBefore } = results;
  const explained = new Set([...[...duplicates, ...consequences].map((each) => each.findingIndex), ...presentBefore]);
  const alarms = results.falseAlarmsByTwin ?? results.falseAlarms.filter((index) => !explained.has(index));
  const claims = alarms.map((index) => readClaim(blue.findings[index] ?? {}));
  return { traps: { places: traps.length, alarmed: findingsAbout(claims, traps).reported.size } };
}

/** The findings that are no match, in the order of the report. */
function otherFindings(results: ScoreResults, { blue }: Omit<PlayedGame, 'game'>): GameScores['other_findings'] {
  const duplicates = new Map(results.duplicates.map((each) => [each.findingIndex, each.vulnerabilityId]));
  const consequences = new Map(results.consequences.map((each) => [each.findingIndex, each]));
  const before = new Set(results.presentBefore);
  const unresolved = new Map(results.unresolved?.map((each) => [each.findingIndex, each]));
  const kindOf = (index: number) => {
    const [again, caused] = [duplicates.get(index), consequences.get(index)];
    if (again !== undefined) return { kind: 'duplicate' as const, vulnerability_id: again, why: null };
    if (caused) return { kind: 'consequence' as const, vulnerability_id: caused.vulnerabilityId, why: caused.why };
    const value = unresolved.get(index);
    if (value) return { kind: 'unresolved' as const, vulnerability_id: null, why: unresolvedWords(value) };
    const kind = before.has(index) ? ('present_before' as const) : ('false_alarm' as const);
    return { kind, vulnerability_id: null, why: null };
  };
  return results.falseAlarms
    .slice(0, MOST_LISTED)
    .map((index) => ({ ...listed(blue?.findings, index), ...kindOf(index) }));
}

function listed(findings: readonly Finding[] | undefined, finding: number): ListedFinding {
  const { rule_id, resource, title, description, type, severity } = findings?.[finding] ?? {};
  return {
    finding,
    rule: rule_id || null,
    resource: resourceText(resource),
    severity: readSeverity(severity),
    title: (title || description || type || '').slice(0, LONGEST_TITLE) || null,
  };
}

function resourceText(resource: Finding['resource']): string | null {
  return [resource ?? []].flat().join(', ') || null;
}

/** On which resources of the clean twin Blue raises an alarm. */
function twinScores(
  { cleanAlarms }: ScoreResults,
  { twinResources, blueOnTwin, unresolved }: Omit<PlayedGame, 'game'>,
): GameScores['twin'] {
  if (!cleanAlarms || !twinResources || !blueOnTwin) return null;
  const byKey = Map.groupBy(twinResources.map(parseAddress), addressKey);
  const flagged = new Set<object>();
  const resolved = new Set<object>();
  const byCategory = new Map<string, Set<object>>();
  for (const index of cleanAlarms) {
    const finding = blueOnTwin.findings[index];
    if (!finding) continue;
    const named = [finding.resource ?? []].flat().map(parseAddress);
    const resources = named.flatMap(
      (one) => byKey.get(addressKey(one))?.filter((other) => sameAddress(one, other)) ?? [],
    );
    const ofCategory = remembered(byCategory, alarmCategory(finding), () => new Set());
    for (const resource of resources) {
      flagged.add(resource);
      if (!unresolved?.[index]) resolved.add(resource);
      ofCategory.add(resource);
    }
  }
  return {
    resources: twinResources.length,
    flagged_resources: flagged.size,
    flagged_by_category: [...byCategory]
      .map(([category, resources]) => ({ category, flagged_resources: resources.size }))
      .sort((a, b) => (a.category < b.category ? -1 : 1)),
    alarms: cleanAlarms.length,
    ...(unresolved && {
      resolved_alarms: cleanAlarms.filter((index) => !unresolved[index]).length,
      resolved_flagged_resources: resolved.size,
    }),
  };
}
