import type { TrialView } from '../../../src/app/view/trial/trial-view.ts';
import { useRight } from '../api.ts';
import { useLabelChanges, useLabelsOf } from '../pages/labels/api.ts';
import { type GivenVerdict, LabelForm, LabelList } from './label-form.tsx';
import styles from './label-panel.module.css';
import { PersonField, usePerson } from './person-field.tsx';

/** What people say of a trial, for the page of the trial. Where no label can be given, as in an HTML file, it is not there. */
export function LabelPanel({ view }: { view: TrialView }) {
  const mayLabel = useRight('label');
  const traceId = view.trace?.trace_id;
  if (!mayLabel || traceId === undefined) return null;
  return <Panel view={view} traceId={traceId} />;
}

function Panel({ view, traceId }: { view: TrialView; traceId: string }) {
  const labels = useLabelsOf(traceId).data?.labels;
  const person = usePerson();
  const { name } = person;
  const { give } = useLabelChanges();
  // What people prefer of two answers is no label of one: `salvo calibrate` takes it from a file.
  const judges = view.assertions.filter(({ judgement }) => judgement !== null && !judgement.pairwise);
  const subjects = [null, ...judges.map(({ id }) => id)];
  const { run_id, scenario, case_index, trial_number } = view;
  const place = { run_id, scenario_index: scenario.index, case_index, trial_number };
  const say = (assertionId: string | null) => (given: GivenVerdict) =>
    give.mutate({ ...place, assertion_id: assertionId, labelled_by: name, ...given });
  if (labels === undefined) return null;
  return (
    <section className={styles.panel} aria-label="Labels">
      <h2>What do you say?</h2>
      <PersonField person={person} />
      {subjects.map((assertionId) => {
        const own = labels.filter((label) => label.assertion_id === assertionId);
        const mine = own.filter(({ labelled_by }) => labelled_by === name);
        return (
          <details key={assertionId ?? ''} open={assertionId === null || own.length > 0}>
            <summary>{assertionId === null ? 'The trial as a whole' : `For the judge ${assertionId}`}</summary>
            <LabelForm
              key={name}
              labels={mine}
              criteria={judges.find(({ id }) => id === assertionId)?.judgement?.criteria ?? []}
              onGive={say(assertionId)}
              onNote={say(assertionId)}
            />
            <LabelList labels={own} name="What people said" />
          </details>
        );
      })}
      {give.error && <p role="alert">{give.error.message}</p>}
    </section>
  );
}
