import { useState } from 'react';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView, ScenarioView } from '../../../../src/app/view/runs/run-view.ts';
import { formatPercent, formatScore, oneDigit } from '../../../../src/stats/format.ts';
import { DataTable, NumberCell } from '../../parts/data-table.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './sections.module.css';

/** The first ones cost most. The grid of trials comes after them. */
const MOST_FAILURES = 12;

/** What failed, the most expensive first, each with a trial to look at. */
export function FailureList({ view }: { view: RunView }) {
  const failures = view.scenarios
    .flatMap((scenario, index) =>
      (scenario.summary?.assertion_failures ?? []).map((failure) => ({ scenario, index, ...failure })),
    )
    .sort((a, b) => b.lost_weight - a.lost_weight);
  const [isWhole, setWhole] = useState(false);
  if (failures.length === 0 || view.is_running) return null;
  const shown = isWhole ? failures : failures.slice(0, MOST_FAILURES);
  return (
    <section>
      <h2 className={styles.head}>What failed</h2>
      <DataTable
        name="What failed"
        columns={[{ number: 'Lost score' }, 'Assertion', 'Scenario', { number: 'Trials' }, 'For example']}
      >
        <tbody>
          {shown.map((failure) => (
            <tr key={`${failure.index} ${failure.assertion_id}`}>
              <NumberCell>{oneDigit(failure.lost_weight)}</NumberCell>
              <td>
                {failure.assertion_id}
                {failure.required && <span className={styles.missed}> required</span>}
              </td>
              <td>
                <EntryName scenario={failure.scenario} view={view} />
              </td>
              <NumberCell>
                {failure.fail_count} ({formatPercent(failure.fail_rate)})
              </NumberCell>
              <td className={styles.text}>
                <TrialLink runId={view.run_id} index={failure.index} scenario={failure.scenario} trials={failure} />{' '}
                {visibleText(failure.judge ? judgeWords(failure.judge) : failure.example)}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
      {shown.length < failures.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {failures.length}
        </button>
      )}
    </section>
  );
}

type JudgeExample = NonNullable<NonNullable<ScenarioView['summary']>['assertion_failures'][number]['judge']>;

/** The scores of a judge's criteria, and why the lowest is so low. */
function judgeWords({ judge_model, criteria }: JudgeExample): string {
  const scores = criteria.map(({ name, score }) => `${name} ${formatScore(score)}`).join(', ');
  const [lowest] = criteria.filter(({ reasoning }) => reasoning).toSorted((a, b) => a.score - b.score);
  return `${judge_model}: ${scores}${lowest ? `. ${lowest.name}: ${lowest.reasoning}` : ''}`;
}

/** Trials that crashed or could not be scored, by their messages. */
export function ErrorList({ view }: { view: RunView }) {
  const groups = view.scenarios.flatMap((scenario, index) => [
    ...(scenario.summary?.crashes ?? []).map((group) => ({ kind: 'Crashed', scenario, index, ...group })),
    ...(scenario.summary?.errors ?? []).map((group) => ({ kind: 'Not scored', scenario, index, ...group })),
  ]);
  if (groups.length === 0 || view.is_running) return null;
  return (
    <section>
      <h2 className={styles.head}>Crashes and errors</h2>
      <DataTable name="Crashes and errors" columns={['Outcome', 'Scenario', { number: 'Trials' }, 'Message']}>
        <tbody>
          {groups.map(({ kind, scenario, index, message, count, ...trials }) => (
            <tr key={`${kind} ${index} ${message} ${trials.stack}`}>
              <td>{kind}</td>
              <td>
                <EntryName scenario={scenario} view={view} />
              </td>
              <NumberCell>{count}</NumberCell>
              <td className={styles.text}>
                <TrialLink runId={view.run_id} index={index} scenario={scenario} trials={trials} />{' '}
                {visibleText(message)}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}

/** With its model, if several are compared. */
function EntryName({ scenario, view }: { scenario: ScenarioView; view: RunView }) {
  return (
    <>
      {scenario.name}
      {view.models.length > 0 && <span className="soft"> · {scenario.label}</span>}
    </>
  );
}

/** To the first of some trials. */
function TrialLink({
  runId,
  index,
  scenario,
  trials,
}: {
  runId: string;
  index: number;
  scenario: ScenarioView;
  trials: { trial_numbers: number[]; trial_cases?: string[] | undefined };
}) {
  const number = trials.trial_numbers[0];
  const name = trials.trial_cases?.[0];
  const caseIndex = name === undefined ? 0 : scenario.cases.find((each) => each.name === name)?.case_index;
  if (number === undefined || caseIndex === undefined) return null;
  return (
    <a href={`#${trialHref({ run_id: runId, scenario_index: index, case_index: caseIndex, trial_number: number })}`}>
      {name === undefined ? `Trial ${number}` : `${name}, trial ${number}`}
    </a>
  );
}
