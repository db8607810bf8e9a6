import type { MatcherName } from '../../match/candidates/matcher.ts';
import type { Finding } from '../../match/claims/finding.ts';
import type { Vulnerability } from '../../match/claims/vulnerability.ts';
import type { NotJudged } from '../../match/importers/findings-format.ts';
import { definedScoreRates, fBetaOf } from '../../match/results/defined-rates.ts';
import { notJudgedFlaws } from '../../match/results/not-judged.ts';
import type { GateOutcome } from '../../match/results/score-gate.ts';
import type { ScoreResults } from '../../match/results/score-results.ts';
import { scoreResultsToDict } from '../../match/results/score-results-to-dict.ts';

/** One Blue on the sheet. */
export interface ScoredBlue {
  /** Its name in tables: the scanner's name, or the file's. */
  name: string;
  file: string;
  findings: readonly Finding[];
  /** What the scanner says it could not judge. */
  notJudged: readonly NotJudged[];
  results: ScoreResults;
  gate: GateOutcome;
}

/** A manifest with every Blue that was scored against it. */
export interface ScoreSheet {
  red: { file: string; vulnerabilities: readonly Vulnerability[] };
  blues: readonly ScoredBlue[];
  matcher: MatcherName;
  matchThreshold: number;
  exactThreshold: number;
  /** `same` if a missing key of one's own counts as missing encryption. */
  keys?: 'different' | 'same';
  /** The weight of recall in F-beta. */
  beta: number;
  /** The files that the findings are about, if they were given. */
  code: Readonly<Record<string, string>> | null;
}

/** The sheet as a document: one Blue's scores at the top level, or several with a list of what each caught. */
export function scoreDocument({ red, blues, matcher, matchThreshold, exactThreshold, keys, beta }: ScoreSheet) {
  const head = {
    red: red.file,
    matcher,
    match_threshold: matchThreshold,
    exact_threshold: exactThreshold,
    beta,
    ...(keys && { keys }),
  };
  const scored = blues.map((blue) => ({
    blue: blue.file,
    name: blue.name,
    gate: blue.gate,
    ...scoreResultsToDict(blue.results),
    f_beta: usedFBeta(blue.results, beta),
    not_judged: {
      checks: blue.notJudged,
      vulnerability_ids: [...evadedUnjudged(red.vulnerabilities, blue)].map(
        (at) => red.vulnerabilities[at]?.id ?? null,
      ),
    },
  }));
  const [only] = scored;
  if (only && scored.length === 1) return { ...head, ...only };
  return {
    ...head,
    blues: scored,
    caught: red.vulnerabilities.map(({ id }, index) => ({
      vulnerability_id: id,
      by: blues.filter(({ results }) => catches(results, index)).map(({ name }) => name),
    })),
  };
}

/** By the precision that decides. Null where there is none. */
function usedFBeta(results: ScoreResults, beta: number): number | null {
  const { classic, byTwin } = definedScoreRates(results);
  return fBetaOf(byTwin ?? classic, beta);
}

/** The flaws that evaded a Blue that says it could not judge them: indices. */
export function evadedUnjudged(
  vulnerabilities: readonly Vulnerability[],
  { notJudged, results }: ScoredBlue,
): Set<number> {
  return notJudgedFlaws(vulnerabilities, notJudged).intersection(new Set(results.evadedIndices));
}

function catches({ matches }: ScoreResults, vulnerability: number): boolean {
  return matches.some(({ vulnerabilityIndex }) => vulnerabilityIndex === vulnerability);
}
