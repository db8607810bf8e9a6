import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import type { FlakyCase } from '../../../../src/run/record/flaky-case.ts';
import { useFlaky } from '../../api.ts';
import { formatTime } from '../../format-time.ts';
import { visibleText } from '../../visible-text.ts';
import styles from './sections.module.css';

/** What a reader must know to read the figures: what stopped, what is left out, and what is flaky. */
export function RunNotes({ view }: { view: RunView }) {
  const flaky = useFlaky(view.run_id).data?.flaky ?? [];
  const { against } = view.options;
  const notes = [
    ...view.notes,
    ...(against ? [`The run was compared with the baseline ${against.source}.`] : []),
    ...view.baseline_notes,
    ...view.judge_notes,
    ...(view.is_running ? [] : scenarioNotes(view)),
    ...view.scenarios.flatMap(quarantineNotes),
  ];
  const unique = [...new Set(notes)];
  if (unique.length + flaky.length === 0) return null;
  // With many trials, nearly every case is flaky: their list is as long as the grid.
  const [shown, rest] = [unique.slice(0, MOST_NOTES), unique.slice(MOST_NOTES)];
  return (
    <section aria-label="Notes">
      <Notes notes={shown} />
      <FoldedNotes name={`${rest.length} more notes`} notes={rest} />
      <FoldedNotes
        name={flaky.length === 1 ? '1 flaky case' : `${flaky.length} flaky cases`}
        notes={flaky.map(flakyNote)}
      />
    </section>
  );
}

const MOST_NOTES = 8;

function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {notes.map((note) => (
        <li key={note}>{visibleText(note)}</li>
      ))}
    </ul>
  );
}

/** A few need no folding. */
function FoldedNotes({ name, notes }: { name: string; notes: readonly string[] }) {
  if (notes.length <= FEW_NOTES) return <Notes notes={notes} />;
  return (
    <details>
      <summary>{name}</summary>
      <Notes notes={notes} />
    </details>
  );
}

const FEW_NOTES = 2;

function flakyNote({ scenario, case: name, trials_passed, trials_scored, runs }: FlakyCase): string {
  const what = name === null ? scenario : `${scenario} / ${name}`;
  const where = runs.length === 1 ? 'in this run' : `in ${runs.length} runs of this commit`;
  return `Flaky: ${what} passed ${trials_passed} of ${trials_scored} trials ${where}.`;
}

const STOPPED = {
  early_stop: 'ended early, because its verdict was certain',
  decided: 'ended, because the comparison with the baseline needs no more trials',
  undecided: 'was stopped by the budget before the comparison was decided',
  equal_crashes: 'was stopped, because the agent crashed alike in the first trials',
  mock_bypassed: 'was stopped, because the agent used tools of its own instead of the mocks',
  budget: 'was stopped by the budget',
  provider: 'was stopped, because a model cannot be called',
  interrupted: 'was interrupted',
};

function scenarioNotes(view: RunView): string[] {
  return view.scenarios.flatMap(({ name, label, summary }) => {
    if (!summary) return [];
    const entry = view.models.length > 0 ? `${name} with ${label}` : name;
    const {
      stopped,
      stop_error,
      skipped,
      identical_trials,
      trials_not_judged,
      never_passed,
      trials_declared,
      trials_alone,
    } = summary;
    const { model, answered_by } = summary;
    return [
      ...(skipped === null ? [] : [`${entry} was skipped: ${skipped}`]),
      ...(stopped === null ? [] : [`${entry} ${STOPPED[stopped]}${stop_error ? `: ${stop_error.message}` : '.'}`]),
      ...never_passed.map(({ assertion_id, trials, counts }) => {
        const weight = counts ? '' : ' It has the weight 0, so it does not count.';
        return `${entry}: ${assertion_id} never passed (0 of ${trials} trials).${weight}`;
      }),
      ...(answered_by ?? []).map(
        (by) => `Another model answered: ${by} for ${model}. Costs follow it, if its price is known.`,
      ),
      ...(identical_trials ? [`${entry} gave the same answer in all trials, so they count as one draw.`] : []),
      ...(trials_alone ? [`${entry}: trials ran one at a time, because the server passes no header on.`] : []),
      ...(trials_declared ? [`${entry}: verdicts on tools are declared (tools_seen: all), not seen.`] : []),
      ...(trials_not_judged > 0 ? [`${entry} has ${trials_not_judged} trials that were not judged.`] : []),
    ];
  });
}

function quarantineNotes({ name, cases, summary }: RunView['scenarios'][number]): string[] {
  const whole = summary?.quarantine;
  if (whole?.active) {
    return [`${name} is in quarantine until ${formatTime(whole.until)}, so it does not count: ${whole.reason}`];
  }
  const aside = cases.filter(({ quarantine }) => quarantine !== null).length;
  return aside === 0
    ? []
    : [
        `${name}: ${aside} ${aside === 1 ? 'case is' : 'cases are'} in quarantine (⊘) and ${aside === 1 ? 'does' : 'do'} not count.`,
      ];
}
