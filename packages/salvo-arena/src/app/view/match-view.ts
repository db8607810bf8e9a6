import type { Judged, SheetFinding } from '../../game/game-sheet.ts';
import type { Factor, MatcherName } from '../../match/candidates/matcher.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { nearestPairs } from '../../match/nearest-pairs.ts';
import { unresolvedWords } from '../../match/results/unresolved.ts';
import { factLines, resourceNames } from '../../report/score/describe-claim.ts';

/** The flaws of a manifest and the findings of one Blue, with how they were matched. */
export type MatchView = ReturnType<typeof matchView>;

export interface Place {
  file: string;
  line: number;
  end_line: number;
}

export interface FlawView extends ReturnType<typeof flawView> {
  /** The finding that is about it; null if it evaded detection. */
  found_by: number | null;
}

/** What a finding counts as. @internal Used by the viewer's pages. */
export type FindingKind = 'match' | 'duplicate' | 'consequence' | 'present_before' | 'unresolved' | 'false_alarm';

export interface FindingView extends ReturnType<typeof findingView>, Fate {
  /** Whether Blue reports it on the clean twin, too; null if it did not look at it. */
  in_twin: boolean | null;
}

interface Fate {
  kind: FindingKind;
  /** Of a match, a duplicate or a consequence: the index of the flaw. */
  flaw: number | null;
  /** Why a consequence or an unresolved finding is one. */
  why: string | null;
}

/**
 * What the Judge says about a flaw and a finding. `apart`: it was never a candidate.
 * @internal Used by the viewer's pages.
 */
export type PairOutcome = 'exact' | 'partial' | 'duplicate' | 'taken' | 'in_twin' | 'below_threshold' | 'apart';

export interface PairView {
  flaw: number;
  finding: number;
  score: number;
  outcome: PairOutcome;
  factors: Factor[];
}

export interface MatchSource {
  vulnerabilities: readonly Vulnerability[];
  findings: readonly SheetFinding[];
  findingsTotal: number;
  judged: Judged;
  settings: { matcher: MatcherName; matchThreshold: number; exactThreshold: number };
}

/** For each flaw and each finding, so many of the other side are compared. */
const NEAREST = 4;
const LONGEST_TEXT = 2000;
/** It is shown as 0.00. */
const NOTHING = 0.005;

export function matchView({ vulnerabilities, findings, findingsTotal, judged, settings }: MatchSource) {
  const foundBy = new Map(judged.matches.map((match) => [match.vulnerability_index, match.finding_index]));
  const fates = findingFates(judged);
  return {
    matcher: settings.matcher,
    match_threshold: settings.matchThreshold,
    exact_threshold: settings.exactThreshold,
    flaws: vulnerabilities.map(
      (each, index): FlawView => ({ ...flawView(each, index), found_by: foundBy.get(index) ?? null }),
    ),
    findings: findings.map(
      (finding): FindingView => ({
        ...findingView(finding),
        ...(fates.get(finding.finding) ?? { kind: 'false_alarm', flaw: null, why: null }),
        in_twin: judged.in_twin === null ? null : judged.in_twin.includes(finding.finding),
      }),
    ),
    /** How many findings there are. Of very many, only the first are listed. */
    findings_total: findingsTotal,
    pairs: pairViews({ vulnerabilities, findings, judged, settings }),
  };
}

function findingFates({
  matches,
  duplicates,
  consequences,
  present_before,
  unresolved,
}: Judged): ReadonlyMap<number, Fate> {
  const of = (kind: FindingKind) => (pair: { finding_index: number; vulnerability_index: number; why?: string }) =>
    [pair.finding_index, { kind, flaw: pair.vulnerability_index, why: pair.why ?? null }] as const;
  return new Map<number, Fate>([
    ...(unresolved ?? []).map(
      (each) => [each.finding_index, { kind: 'unresolved', flaw: null, why: unresolvedWords(each) } as const] as const,
    ),
    ...present_before.map((index) => [index, { kind: 'present_before', flaw: null, why: null } as const] as const),
    ...consequences.map(of('consequence')),
    ...duplicates.map(of('duplicate')),
    ...matches.map(of('match')),
  ]);
}

/** A flaw, without whether it was found. */
export function flawView(vulnerability: Vulnerability, index: number) {
  const { id, type, severity, title, description, technique, resource } = vulnerability;
  return {
    index,
    id: short(id) ?? '',
    category: short(type),
    severity: short(severity),
    title: short(title || description || type || id) ?? '',
    description: title ? short(description) : null,
    technique: short(technique),
    resource: short(resourceNames({ resource })),
    /** Where a correct report may point: the flawed lines first. */
    places: flawPlaces(vulnerability),
    /** What is a flaw only together. */
    facts: factLines(vulnerability).map((line) => short(line) ?? ''),
  };
}

type FlawPlace = Place & { kind: 'resource' | 'definition' | 'related' };

function flawPlaces({ file, line, end_line, locations }: Vulnerability): FlawPlace[] {
  const own = placeOf({ file, line, end_line });
  const listed = (locations ?? []).flatMap(({ kind, ...location }) => {
    const place = placeOf(location);
    return place ? [{ kind, ...place }] : [];
  });
  const isListed = listed.some((place) => place.file === own?.file && place.line === own.line);
  return own && !isListed ? [{ kind: 'resource', ...own }, ...listed] : listed;
}

function findingView(finding: SheetFinding) {
  const { rule_id, title, description, type, evidence, severity, resource, source } = finding;
  return {
    /** Its index in Blue's report. */
    index: finding.finding,
    rule: short(rule_id),
    title: short(title || description || type || rule_id) ?? `finding ${finding.finding}`,
    description: title && description !== title ? short(description) : null,
    evidence: short(evidence),
    severity: short(severity),
    resource: short(resourceNames({ resource })),
    source: short(source),
    place: placeOf(finding),
  };
}

function placeOf({ file, line, end_line }: Pick<Vulnerability, 'file' | 'line' | 'end_line'>): Place | null {
  if (!file || !line || file.length > LONGEST_TEXT) return null;
  return { file, line, end_line: Math.max(line, end_line ?? line) };
}

/** Null if there is none. What somebody outside wrote may have any length. */
function short(text: string | null | undefined): string | null {
  if (!text) return null;
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** What was judged, and then what comes near, so that it can be seen why it was not matched. */
function pairViews({ vulnerabilities, findings, judged, settings }: Omit<MatchSource, 'findingsTotal'>): PairView[] {
  const pairs = new Map<string, PairView>();
  const add = (flaw: number, finding: number, rest: Omit<PairView, 'flaw' | 'finding'>) => {
    const key = `${flaw} ${finding}`;
    if (!pairs.has(key)) pairs.set(key, { flaw, finding, ...rest });
  };
  const judgedPairs = [
    ...judged.matches.map((pair) => ({ ...pair, outcome: pair.match_type })),
    ...judged.duplicates.map((pair) => ({ ...pair, outcome: 'duplicate' as const })),
    ...judged.near_misses.map((pair) => ({ ...pair, outcome: pair.reason })),
  ];
  for (const { vulnerability_index, finding_index, score, factors, outcome } of judgedPairs) {
    add(vulnerability_index, finding_index, { score, factors, outcome });
  }
  const inTwin = new Set([...(judged.in_twin ?? []), ...judged.present_before]);
  const nearest = nearestPairs(vulnerabilities, findings, { matcher: settings.matcher, each: NEAREST });
  for (const { vulnerabilityIndex, findingIndex, score, factors } of nearest) {
    const finding = findings[findingIndex]?.finding ?? findingIndex;
    const reaches = score >= settings.matchThreshold;
    const below = reaches ? 'taken' : 'below_threshold';
    const outcome = score < NOTHING ? 'apart' : inTwin.has(finding) ? 'in_twin' : below;
    add(vulnerabilityIndex, finding, { score, factors, outcome });
  }
  return [...pairs.values()].sort((a, b) => a.flaw - b.flaw || b.score - a.score);
}
