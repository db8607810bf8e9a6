import { type Canvas, fewLines, renderTable } from 'salvo/kit/report';
import { formatScore } from 'salvo/kit/stats';
import { safeLine } from 'salvo/kit/text';
import type { PlayedGame } from '../../game/played-game.ts';
import type { Finding } from '../../match/claims/finding.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import { factLines, findingPlace, resourceNames } from '../score/describe-claim.ts';

const MOST_ROWS = 40;

/**
 * Every flaw that was scored: found or evaded, how it was hidden and where; below it what it is, and the nearest
 * finding.
 */
export function renderGameTable(played: PlayedGame, { width, style }: Canvas): string[] {
  const { scored, results, blue } = played;
  if (!results || !blue) return [];
  const matches = new Map(results.matches.map((match) => [match.vulnerabilityIndex, match]));
  const misses = new Map(results.nearMisses.map((miss) => [miss.vulnerabilityIndex, miss]));
  const listed = scored.slice(0, MOST_ROWS);
  const table = renderTable({
    columns: [
      { key: 'symbol', header: '', priority: 10 },
      { key: 'id', header: 'Flaw', priority: 9, min: 4 },
      { key: 'severity', header: 'Severity', priority: 5 },
      { key: 'type', header: 'Type', priority: 6, min: 8 },
      { key: 'technique', header: 'Hidden by', priority: 7, min: 8 },
      { key: 'place', header: 'Where', priority: 8, min: 8 },
    ],
    rows: listed.map((vulnerability, index) => ({
      symbol: matches.has(index) ? { text: '✔', paint: style.green } : { text: '✖', paint: style.red },
      id: { text: safeLine(vulnerability.id, 200), paint: style.bold },
      severity: { text: safeLine(vulnerability.severity ?? '', 40) },
      type: { text: safeLine(vulnerability.type ?? '', 200) },
      technique: { text: safeLine(vulnerability.technique ?? '', 200) },
      place: { text: safeLine(findingPlace(vulnerability), 200) },
    })),
    width,
    style,
  });
  const below = (index: number): string[] => {
    const [match, miss] = [matches.get(index), misses.get(index)];
    const finding = blue.findings[match?.findingIndex ?? miss?.findingIndex ?? -1];
    const nearest = match
      ? `found by ${findingText(match.findingIndex, finding)} (${formatScore(match.score)}, ${match.matchType})`
      : miss
        ? `nearest: ${findingText(miss.findingIndex, finding)} (${formatScore(miss.score)}${NEAR_NOTES[miss.reason]})`
        : 'no finding came near';
    const lines = (text: string) => fewLines(text, width - 3).map((line) => `   ${line}`);
    const facts = factLines(listed[index] ?? {}).flatMap((fact) => lines(`- ${fact}`));
    return [...lines(flawText(listed[index])), ...facts, ...lines(`${match ? '→' : '·'} ${nearest}`).map(style.dim)];
  };
  const rest = scored.length - listed.length;
  return [
    ...table.header,
    ...table.rows.flatMap((row, index) => [...row, ...below(index)]),
    ...(rest > 0 ? [style.dim(`and ${rest} more (JSON lists all)`)] : []),
  ];
}

const NEAR_NOTES = {
  below_threshold: '',
  taken: ', serves another flaw',
  in_twin: ', not caused by this flaw',
} as const;

function flawText(vulnerability: Vulnerability | undefined): string {
  if (!vulnerability) return '';
  const { title, description, facts } = vulnerability;
  // Facts name all resources themselves.
  if ((facts ?? []).length > 0) return title || description || '';
  return [resourceNames(vulnerability), title || description].filter(Boolean).join(': ');
}

function findingText(index: number, finding: Finding | undefined): string {
  const words = [finding?.rule_id, finding?.title || finding?.description || finding?.type].filter(Boolean).join(' ');
  return `finding ${index}${words === '' ? '' : `, ${words}`}`;
}
