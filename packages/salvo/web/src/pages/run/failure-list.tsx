import { useState } from 'react';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView, ScenarioView } from '../../../../src/app/view/runs/run-view.ts';
import { formatPercent, formatScore, oneDigit } from '../../../../src/stats/format.ts';
import { TableSection } from '../../parts/data-table.tsx';
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
    <TableSection
      name="What failed"
      rows={shown}
      keyOf={({ index, assertion_id }) => `${index} ${assertion_id}`}
      columns={[
        [{ number: 'Lost score' }, ({ lost_weight }) => oneDigit(lost_weight)],
        ['Assertion', ({ assertion_id, required }) => <AssertionName {...{ assertion_id, required }} />],
        ['Scenario', ({ scenario }) => <EntryName scenario={scenario} view={view} />],
        [{ number: 'Trials' }, ({ fail_count, fail_rate }) => `${fail_count} (${formatPercent(fail_rate)})`],
        [
          'For example',
          ({ index, scenario, judge, example, ...trials }) => (
            <Example {...{ view, index, scenario, trials }} text={judge ? judgeWords(judge) : example} />
          ),
          () => styles.text,
        ],
      ]}
    >
      {shown.length < failures.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {failures.length}
        </button>
      )}
    </TableSection>
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
    <TableSection
      name="Crashes and errors"
      rows={groups}
      keyOf={({ kind, index, message, stack }) => `${kind} ${index} ${message} ${stack}`}
      columns={[
        ['Outcome', ({ kind }) => kind],
        ['Scenario', ({ scenario }) => <EntryName scenario={scenario} view={view} />],
        [{ number: 'Trials' }, ({ count }) => count],
        [
          'Message',
          ({ index, scenario, message, ...trials }) => (
            <Example {...{ view, index, scenario, trials }} text={message} />
          ),
          () => styles.text,
        ],
      ]}
    />
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

function AssertionName({ assertion_id, required }: { assertion_id: string; required: boolean }) {
  return (
    <>
      {assertion_id}
      {required && <span className={styles.missed}> required</span>}
    </>
  );
}

interface ExampleProps {
  view: RunView;
  index: number;
  scenario: ScenarioView;
  trials: { trial_numbers: number[]; trial_cases?: string[] | undefined };
  text: string;
}

/** What happened, after a link to the first of the trials in which it did. */
function Example({ view: { run_id }, index, scenario, trials, text }: ExampleProps) {
  const [trial_number] = trials.trial_numbers;
  const name = trials.trial_cases?.[0];
  const case_index = name === undefined ? 0 : scenario.cases.find((each) => each.name === name)?.case_index;
  return (
    <>
      {trial_number !== undefined && case_index !== undefined && (
        <a href={`#${trialHref({ run_id, scenario_index: index, case_index, trial_number })}`}>
          {name === undefined ? `Trial ${trial_number}` : `${name}, trial ${trial_number}`}
        </a>
      )}{' '}
      {visibleText(text)}
    </>
  );
}
