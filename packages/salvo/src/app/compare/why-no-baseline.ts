import type { ScenarioSummary } from '../../run/record/run-document.ts';
import type { RunRecord, RunScenario } from '../../run/record/run-record.ts';

/** Why later runs should not be measured by a run, each a part of a sentence. That not every trial passed is no reason. */
export function whyNoBaseline({ status, scenarios, options }: RunRecord): string[] {
  const judged = scenarios.flatMap((each) => {
    const { summary } = each;
    return summary && summary.verdict !== 'SKIPPED' && summary.verdict !== 'QUARANTINED' ? [{ each, summary }] : [];
  });
  const named = (is: (summary: ScenarioSummary, scenario: RunScenario) => boolean) =>
    judged.flatMap(({ each, summary }) => (is(summary, each) ? [each.name] : []));
  const reason = (words: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${words}: ${[...new Set(names)].join(', ')}`];
  return [
    ...(status === 'finished' ? [] : ['it is not finished']),
    ...reason('not all trials were scored', named(isUnscored)),
    ...reason(
      'a required assertion failed',
      named(({ verdict }) => verdict === 'HARD_FAIL'),
    ),
    ...(judged.every(({ summary }) => summary.trials_passed === 0) ? ['no trial passed'] : []),
    ...reason(
      'a minimum or limit that was set is missed',
      named((summary, { scenario }) => {
        const isSet = options.min_pass_rate !== null || scenario.min_pass_rate !== undefined;
        return summary.gates.some(({ gate, met }) => met === false && (gate !== 'min_pass_rate' || isSet));
      }),
    ),
  ];
}

/** What only the comparison with another baseline left open has its results. */
function isUnscored({ verdict, decided_by }: ScenarioSummary): boolean {
  return verdict === 'UNSCORED' && decided_by !== 'baseline_undecided' && decided_by !== 'baseline';
}
