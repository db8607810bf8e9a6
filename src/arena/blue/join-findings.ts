import type { Finding } from '../../match/claims/finding.ts';
import { readSeverity, severityRank } from '../../match/claims/severity.ts';

/** How sure a finding is that does not say. */
const USUAL_CONFIDENCE = 0.5;

/**
 * Two findings of one flaw as one: the first, with what only the second says filled in, the worse severity, both
 * sources, the rules of both, and more confidence than either has alone.
 */
export function joinFindings(first: Finding, second: Finding): Finding {
  const stated = (finding: Finding) => Object.entries(finding).filter(([, value]) => isSaid(value));
  const joined: Finding = { ...Object.fromEntries(stated(second)), ...Object.fromEntries(stated(first)) };
  // A place is one thing: the line of one finding in the file of another is nowhere.
  const place = isSaid(first.file) && isSaid(first.line) ? first : isSaid(second.line) ? second : first;
  for (const field of ['file', 'line', 'end_line'] as const) delete joined[field];
  if (isSaid(place.file)) joined.file = place.file;
  if (isSaid(place.line)) joined.line = place.line;
  if (isSaid(place.end_line)) joined.end_line = place.end_line;
  joined.confidence = Math.round((1 - (1 - confidenceOf(first)) * (1 - confidenceOf(second))) * 10_000) / 10_000;
  const severity = worse(first.severity, second.severity);
  if (severity !== null) joined.severity = severity;
  const sources = [first, second].flatMap(({ source }) => source?.split('+') ?? []);
  if (sources.length > 0) joined.source = [...new Set(sources)].join('+');
  const [rule, ...rules] = new Set([...rulesOf(first), ...rulesOf(second)]);
  if (rule !== undefined) joined.rule_id = rule;
  if (rules.length > 0) joined.rule_ids = rules;
  return joined;
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function confidenceOf({ confidence }: Finding): number {
  return Math.min(1, Math.max(0, confidence ?? USUAL_CONFIDENCE));
}

function worse(a: unknown, b: unknown): string | null {
  const [first, second] = [readSeverity(a), readSeverity(b)];
  if (first === null || second === null) return first ?? second;
  return severityRank(second) > severityRank(first) ? second : first;
}

function rulesOf({ rule_id, rule_ids }: Finding): string[] {
  return [rule_id ?? '', ...(rule_ids ?? [])].filter((id) => id !== '');
}
