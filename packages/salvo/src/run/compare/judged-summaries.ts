import type { BaselineSummary } from '../record/baseline-summary.ts';
import { entryKey } from '../record/candidate-labels.ts';
import type { ScenarioSummary } from '../record/run-document.ts';
import { type ComparedScenario, comparedEntry } from './compare-runs.ts';
import type { AgainstFailure, AgainstOutcome, AgainstScenario } from './judge-against.ts';

/**
 * The summaries with the verdicts that the comparison gives. What failed by a rule that somebody set, was not scored or
 * has a required assertion that failed keeps its verdict. The cases keep theirs: they are judged as without a baseline.
 */
export function judgedSummaries(against: AgainstOutcome, summaries: readonly ScenarioSummary[]): ScenarioSummary[] {
  const scenarios = new Map(against.scenarios.map((each) => [entryKey(each), each]));
  const compared = new Map(against.comparison.scenarios.map((each) => [comparedEntry(each), each]));
  return summaries.map((summary) => {
    const scenario = scenarios.get(entryKey(summary));
    if (!scenario) return summary;
    const baseline = baselineSummary(scenario, compared.get(entryKey(summary)), against);
    return { ...summary, ...verdictOf(summary, scenario), baseline };
  });
}

type Judged = Pick<ScenarioSummary, 'verdict' | 'decided_by' | 'gates'>;

function verdictOf(summary: ScenarioSummary, { answer, by_own_rule, why }: AgainstScenario): Judged {
  const own = by_own_rule ? summary : withoutMinimum(summary);
  if (own.verdict !== 'PASS') return own;
  if (why !== null) return { ...own, ...FAILED[why] };
  if (by_own_rule) return own;
  return { ...own, decided_by: answer === 'undecided' ? 'baseline_observed' : 'baseline' };
}

const FAILED = {
  worse: { verdict: 'FAIL', decided_by: 'baseline' },
  together: { verdict: 'FAIL', decided_by: 'baseline_together' },
  observed: { verdict: 'FAIL', decided_by: 'baseline_observed' },
  new_cases: { verdict: 'FAIL', decided_by: 'new_cases' },
  nothing_passed: { verdict: 'FAIL', decided_by: 'nothing_passed' },
  undecided: { verdict: 'UNSCORED', decided_by: 'baseline_undecided' },
} as const satisfies Record<AgainstFailure, Pick<Judged, 'verdict' | 'decided_by'>>;

/** As if there were no rule that every trial must pass: the limits of cost and time still hold. */
function withoutMinimum({ verdict, decided_by, gates, trials_passed }: ScenarioSummary): Judged {
  const others = gates.filter(({ gate }) => gate !== 'min_pass_rate');
  if (decided_by !== 'min_pass_rate') return { verdict, decided_by, gates: others };
  const missed = others.find(({ met }) => met === false);
  if (missed) return { verdict: trials_passed > 0 ? 'PARTIAL' : 'FAIL', decided_by: missed.gate, gates: others };
  if (others.some(({ met }) => met === null)) return { verdict: 'UNSCORED', decided_by: 'unknown_gate', gates: others };
  return { verdict: 'PASS', decided_by: 'baseline', gates: others };
}

function baselineSummary(
  { answer, trials_to_decide, new_cases, new_cases_failed, why }: AgainstScenario,
  found: Pick<ComparedScenario, 'base' | 'next' | 'difference'> | undefined,
  { margin, observed }: AgainstOutcome,
): BaselineSummary {
  return {
    ...{ answer, margin, trials_to_decide },
    before: found?.base.pass_rate ?? null,
    now: found?.next.pass_rate ?? null,
    interval: found?.difference?.interval ?? null,
    new_cases: new_cases.length,
    new_cases_failed: new_cases_failed.length,
    observed: why === 'observed' ? observed : null,
  };
}
