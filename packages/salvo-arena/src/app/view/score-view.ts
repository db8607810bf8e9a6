import { SalvoError } from 'salvo/kit/text';
import { sheetFindingOf } from '../../game/game-sheet.ts';
import { definedScoreRates } from '../../match/results/defined-rates.ts';
import type { Interval } from '../../match/results/score-results.ts';
import { scoreResultsToDict } from '../../match/results/score-results-to-dict.ts';
import type { ScoredBlue, ScoreSheet } from '../../report/score/score-sheet.ts';
import { type CodeView, codeFiles, noCode } from './code-view.ts';
import { flawView, matchView } from './match-view.ts';

/** What `salvo score` found: every Blue against every flaw. */
export type ScoreView = ReturnType<typeof scoreView>;

export type ScoreBlueLine = ReturnType<typeof blueLine>;

export function scoreView({ red, blues }: ScoreSheet) {
  return {
    /** The file of the manifest. */
    red: red.file,
    flaws: red.vulnerabilities.map(flawView),
    blues: blues.map((blue, index) => blueLine(blue, index, red.vulnerabilities.length)),
  };
}

function blueLine({ name, file, findings, results, gate }: ScoredBlue, index: number, flaws: number) {
  const { intervals } = results;
  const matches = new Map(results.matches.map((match) => [match.vulnerabilityIndex, match]));
  const { classic, byTwin, resolved } = definedScoreRates(results);
  return {
    ...{ index, name, file, gate, findings: findings.length },
    recall: rate(classic.recall, intervals.recall),
    precision: byTwin
      ? rate(byTwin.precision, intervals.precisionByTwin)
      : rate(classic.precision, intervals.precision),
    precision_used: byTwin ? ('twin' as const) : ('classic' as const),
    f1: (byTwin ?? classic).f1,
    evasion: rate(classic.evasion, intervals.evasionRate),
    false_alarms: (results.falseAlarmsByTwin ?? results.falseAlarms).length,
    unresolved: results.unresolved?.length ?? null,
    precision_without_unresolved: rate(resolved?.precision ?? null, intervals.precisionWithoutUnresolved),
    consequences: results.consequences.length,
    duplicates: results.duplicates.length,
    present_before: results.presentBefore.length,
    /** For each flaw, the finding about it; null if it evaded. */
    caught: Array.from({ length: flaws }, (_, flaw) => {
      const match = matches.get(flaw);
      return match ? { finding: match.findingIndex, score: match.score, type: match.matchType } : null;
    }),
  };
}

/** The value is null if it is not defined: a report without findings has no precision. */
function rate(value: number | null, interval: Interval | null) {
  return { value, interval: interval && ([interval.low, interval.high] satisfies [number, number]) };
}

/** One Blue, with why its findings were or were not matched. */
export type ScoreBlueView = ReturnType<typeof scoreBlueView>;

/** Of a longer report, what belongs to a flaw is listed, and the first of the others. */
const MOST_FINDINGS = 1000;

export function scoreBlueView(sheet: ScoreSheet, index: number) {
  const blue = sheet.blues[index];
  if (!blue) throw new SalvoError('BLUE_UNKNOWN', `There is no report ${index}: there are ${sheet.blues.length}.`);
  const { vulnerabilities } = sheet.red;
  const judged = scoreResultsToDict(blue.results);
  const { matches, duplicates, near_misses, consequences } = judged;
  const related = new Set(
    [...matches, ...duplicates, ...near_misses, ...consequences].map((each) => each.finding_index),
  );
  const shown = blue.findings
    .map((finding, position) => ({ finding, position }))
    .filter(({ position }) => position < MOST_FINDINGS || related.has(position));
  return {
    line: blueLine(blue, index, vulnerabilities.length),
    match: matchView({
      vulnerabilities,
      findings: shown.map(({ finding, position }) => sheetFindingOf(finding, position)),
      findingsTotal: blue.findings.length,
      judged,
      settings: sheet,
    }),
  };
}

/** A browser cannot hold the code of a whole company. */
const MOST_CHARACTERS = 20_000_000;

/** The code, as far as it is needed: files that the manifest or a report may mean come first. */
export function scoreCode({ code, red, blues }: ScoreSheet): CodeView {
  if (!code) return noCode('Give the folder of the code to see it here: `salvo score ... --source DIR`.');
  const places = red.vulnerabilities.flatMap(({ file, locations }) => [{ file }, ...(locations ?? [])]);
  const findings = blues.flatMap((blue) => blue.findings);
  const meant = new Set([...places, ...findings].map(({ file }) => baseName(file ?? '')));
  const [first, others] = [true, false].map((isMeant) =>
    Object.entries(code).filter(([name]) => meant.has(baseName(name)) === isMeant),
  );
  let size = 0;
  const kept = [...(first ?? []), ...(others ?? [])].filter(([, text]) => {
    size += text.length;
    return size <= MOST_CHARACTERS;
  });
  return codeFiles(Object.fromEntries(kept), null);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
