import { type Evaluator, shorten } from 'salvo/kit/evaluators';
import type { AssertionOf } from 'salvo/kit/scenario';
import { meetsThreshold } from 'salvo/kit/stats';
import { JudgeAgent } from '../match/judge-agent.ts';
import { readAnswer } from '../match/read-findings.ts';
import { gateScore } from '../match/results/score-gate.ts';
import type { ScoreResults } from '../match/results/score-results.ts';
import { mainFigures, scoreResultsToDict } from '../match/results/score-results-to-dict.ts';
import { loadManifest } from './load-manifest.ts';

type FindingsAssertion = AssertionOf<'findings'>;

const MOST_EVADED = 5;

/**
 * Passes if the findings in the final answer match the manifest well enough. An unreadable answer is a failure of the
 * agent. An unreadable manifest leaves the trial unscored.
 */
export const evaluateFindings: Evaluator<FindingsAssertion> = (assertion, trace, context) => {
  const manifest = loadManifest(assertion.manifest, context);
  const read = readAnswer(trace.final_content ?? '');
  if ('problem' in read) return { score: 0, passed: false, details: read.problem };
  const judge = new JudgeAgent({
    matcher: assertion.matcher,
    matchThreshold: assertion.match_threshold,
    exactThreshold: assertion.exact_threshold,
  });
  const results = judge.score(manifest, read.findings);
  const metadata = { findings: storedScores(results) };
  if (results.empty) {
    return { score: 1, passed: true, details: 'there is nothing to find, and nothing was reported', metadata };
  }
  const gate = gateScore(results, {
    minRecall: assertion.min_recall,
    minPrecision: assertion.min_precision,
    minF1: assertion.min_f1,
  });
  const score = METRICS[assertion.metric](results);
  const demands = [assertion.min_recall, assertion.min_precision, assertion.min_f1].some(
    (least) => least !== undefined,
  );
  const passed = demands ? gate.status === 'passed' : meetsThreshold(score, 1);
  return { score, passed, details: [...gate.messages, summary(results)].join('; '), metadata };
};

const METRICS: Record<FindingsAssertion['metric'], (results: ScoreResults) => number> = {
  f1: ({ f1Score }) => f1Score,
  recall: ({ recall }) => recall,
  precision: ({ precision }) => precision,
  severity_weighted_recall: ({ severityWeightedRecall }) => severityWeightedRecall,
};

/** What is stored with each trial: metrics and matches, without explanations. */
function storedScores(results: ScoreResults) {
  const document = scoreResultsToDict(results);
  return {
    ...mainFigures(document),
    matches: document.matches.map(({ vulnerability_id, finding_index, score, match_type }) => ({
      vulnerability_id,
      finding_index,
      score,
      match_type,
    })),
    evaded: document.evaded,
    false_alarms: document.false_alarms,
  };
}

function summary({ truePositives, falsePositives, falseNegatives, evaded }: ScoreResults): string {
  const found = `${truePositives} of ${truePositives + falseNegatives} found, ${falsePositives} false alarms`;
  if (evaded.length === 0) return found;
  const listed = evaded.slice(0, MOST_EVADED).map((id) => shorten(id, 60));
  const more = evaded.length > MOST_EVADED ? ` and ${evaded.length - MOST_EVADED} more` : '';
  return `${found}; evaded: ${listed.join(', ')}${more}`;
}
