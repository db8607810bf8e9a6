import { useState } from 'react';
import { Link } from 'wouter';
import type { AgreementSubject, LabelAgreement } from '../../../../src/app/view/labels/label-agreement.ts';
import { trialHref } from '../../../../src/app/view/page-hrefs.ts';
import { formatPercent, twoDigits, twoDigitsInterval } from '../../../../src/stats/format.ts';
import { formatTime } from '../../format-time.ts';
import { RowTable } from '../../parts/data-table.tsx';
import { Figure, Figures } from '../../parts/figures.tsx';
import { LoadState } from '../../parts/load-state.tsx';
import { visibleText } from '../../visible-text.ts';
import styles from './agreement.module.css';
import { useAgreement, useLabelChanges } from './api.ts';

/** How far the judge agrees with the labels so far. */
export function Agreement({ subject, isBlind }: { subject: AgreementSubject; isBlind: boolean }) {
  const [isWanted, setWanted] = useState(false);
  return (
    <section aria-label="Agreement" className={styles.agreement}>
      <h2>Agreement so far</h2>
      {isBlind && !isWanted ? (
        <div className={styles.keep}>
          <button type="button" onClick={() => setWanted(true)}>
            Show the agreement
          </button>
          <span>It tells what the judge said of the trials that have labels.</span>
        </div>
      ) : (
        <ShownAgreement subject={subject} />
      )}
    </section>
  );
}

function ShownAgreement({ subject }: { subject: AgreementSubject }) {
  const agreement = useAgreement(subject);
  return (
    <LoadState query={agreement}>
      {(view) => (view === null ? <p>There are no labels yet.</p> : <Loaded view={view} subject={subject} />)}
    </LoadState>
  );
}

function Loaded({ view, subject }: { view: LabelAgreement; subject: AgreementSubject }) {
  const { keep } = useLabelChanges();
  const who = view.judge === null ? 'The assertions' : 'The judge';
  return (
    <>
      <p className={styles.verdict}>
        <strong>{visibleText(view.verdict)}</strong>: {visibleText(view.reason)}
      </p>
      <div className={styles.columns}>
        <Matrix view={view} who={who} />
        <Figures>
          <Figure name="Agreement">{formatPercent(view.agreement)}</Figure>
          <Figure name="Kappa">{withInterval(view.kappa, view.kappa_ci)}</Figure>
          <Figure name="Trials">{view.n}</Figure>
          {view.judge && (
            <Figure name="Judge">
              {view.judge.judge_model}, {view.judge.k} {view.judge.k === 1 ? 'vote' : 'votes'}
            </Figure>
          )}
        </Figures>
      </div>
      <Notes view={view} />
      {view.criteria.length > 0 && <Criteria view={view} />}
      {view.disagreements.length > 0 && <Disagreements view={view} who={who} />}
      {view.judge && (
        <div className={styles.keep}>
          <button
            type="button"
            disabled={view.not_kept !== null || keep.isPending}
            onClick={() => keep.mutate(subject)}
          >
            Store as the calibration of this judge
          </button>
          <span role="status">
            {view.not_kept !== null
              ? `Not possible: ${view.not_kept}.`
              : view.stored_at !== null
                ? `Stored on ${formatTime(view.stored_at)}. salvo run corrects pass rates by it, if it says enough. salvo calibrate --forget undoes that.`
                : 'salvo run then corrects pass rates by it, if it says enough. salvo calibrate --forget undoes that.'}
          </span>
          {keep.error && <p role="alert">{keep.error.message}</p>}
        </div>
      )}
    </>
  );
}

function Matrix({ view, who }: { view: LabelAgreement; who: string }) {
  return (
    <table className={styles.matrix}>
      <caption className="visually-hidden">Verdicts of people and of the judge</caption>
      <thead>
        <tr>
          <td />
          <th scope="col">People pass</th>
          <th scope="col">People fail</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">
            {who} pass{view.judge ? 'es' : ''}
          </th>
          <td className="tone-pass">{view.both_passed}</td>
          <td className="tone-fail">{view.only_judge_passed}</td>
        </tr>
        <tr>
          <th scope="row">
            {who} fail{view.judge ? 's' : ''}
          </th>
          <td className="tone-fail">{view.only_people_passed}</td>
          <td className="tone-pass">{view.both_failed}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Notes({
  view: { people, notes: sampled, unscored, other_judge, without_judgement },
}: {
  view: LabelAgreement;
}) {
  const notes = [
    ...sampled,
    ...(people.people.length > 1
      ? [
          `Labels by ${people.people.join(', ')}. ${
            people.shared === 0
              ? 'Nothing was labelled by more than one of them.'
              : `Of ${people.shared} that several labelled, they agree on ${people.unanimous}${people.alpha === null ? '' : ` (Krippendorff's alpha ${twoDigits(people.alpha)})`}. The majority counts; a tie does not.`
          }`,
        ]
      : []),
    ...(unscored > 0 ? [`${unscored} could not be scored by the judge, and are left out.`] : []),
    ...(other_judge > 0 ? [`${other_judge} were judged by an earlier version of the judge, and are left out.`] : []),
    ...(without_judgement > 0 ? [`${without_judgement} labelled conversations have no verdict of a judge.`] : []),
  ];
  return notes.map((note) => (
    <p key={note} className="soft small anywhere">
      {visibleText(note)}
    </p>
  ));
}

function Criteria({ view }: { view: LabelAgreement }) {
  return (
    <RowTable
      name="By criterion"
      rows={view.criteria}
      keyOf={({ name }) => name}
      columns={[
        ['Criterion', ({ name }) => visibleText(name), 'head'],
        [{ number: 'Trials' }, ({ n }) => n],
        [{ number: 'Agreement' }, ({ agreement }) => formatPercent(agreement)],
        [{ number: 'Kappa' }, ({ kappa, kappa_ci }) => withInterval(kappa, kappa_ci)],
      ]}
    />
  );
}

function Disagreements({ view, who }: { view: LabelAgreement; who: string }) {
  return (
    <details>
      <summary>
        {view.disagreements.length} {view.disagreements.length === 1 ? 'trial' : 'trials'} on which they differ
      </summary>
      <ul className={styles.disagreements}>
        {view.disagreements.map((each) => (
          <li key={trialHref(each)}>
            <Link href={trialHref(each)}>
              {visibleText(each.scenario ?? '')} · trial {each.trial_number}
            </Link>
            : {each.human_passed ? 'people pass it' : 'people fail it'}, {who.toLowerCase()}{' '}
            {each.judge_passed ? 'did not fail it' : 'did not pass it'}
            {each.reasoning !== null && <p className="soft small anywhere">{visibleText(each.reasoning)}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}

function withInterval(kappa: number | null, interval: [number, number] | null): string {
  if (kappa === null) return '—';
  return `${twoDigits(kappa)}${interval ? ` (${twoDigitsInterval(interval)})` : ''}`;
}
