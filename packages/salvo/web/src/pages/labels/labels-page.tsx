import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { labelsHref, runHref } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView, ScenarioView } from '../../../../src/app/view/runs/run-view.ts';
import { useProject, useRight, useRun, useRuns } from '../../api.ts';
import { LoadState } from '../../parts/load-state.tsx';
import { PersonField, usePerson } from '../../parts/person-field.tsx';
import { usePageTitle } from '../../use-page-title.ts';
import { RunPicker } from '../compare/run-picker.tsx';
import { Agreement } from './agreement.tsx';
import { useQueue } from './api.ts';
import { LabelQueueView } from './label-queue-view.tsx';
import styles from './labels-page.module.css';

/** `[run, scenario, assertion]`: what is missing is the newest run, and its first scenario with a judge. */
export function LabelsPage({ subject }: { subject: string[] }) {
  usePageTitle('Labels');
  const project = useProject();
  const mayLabel = useRight('label');
  const runs = useRuns({ filter: '', sort: 'created', order: 'descending' });
  const newest = runs.data?.pages[0]?.runs[0]?.run_id;
  const run = subject[0] ?? newest;
  if (mayLabel && run !== undefined) return <LabelsOfRun run={run} subject={subject} />;
  return (
    <div className="page">
      <h1>Labels</h1>
      <p>
        {!project.data || runs.isPending
          ? 'Loading…'
          : !project.data.live
            ? 'Labels are given in salvo view.'
            : mayLabel
              ? 'Nothing is stored yet that could be labelled.'
              : 'This viewer does not allow labels. salvo view --allow label does.'}
      </p>
    </div>
  );
}

function LabelsOfRun({ run, subject }: { run: string; subject: string[] }) {
  const view = useRun(run);
  return <LoadState query={view}>{(data) => <Loaded key={data.run_id} view={data} subject={subject} />}</LoadState>;
}

const WHOLE = '';

function Loaded({ view, subject }: { view: RunView; subject: string[] }) {
  const [, navigate] = useLocation();
  const person = usePerson();
  const { name } = person;
  const [isBlind, setBlind] = useState(true);
  const chosen = subject[1] === undefined ? firstWithJudge(view.scenarios) : Number(subject[1]);
  const scenario = view.scenarios[chosen];
  const judges = judgesOf(scenario);
  const assertion = subject[1] === undefined ? (judges[0] ?? WHOLE) : (subject[2] ?? WHOLE);
  const go = (index: number, id: string | undefined) =>
    navigate(id ? labelsHref(view.run_id, index, id) : labelsHref(view.run_id, index));
  if (!scenario) return <p role="alert">The run has no such scenario.</p>;
  const about = { file: scenario.file, scenario: scenario.name, assertion_id: assertion === WHOLE ? null : assertion };
  return (
    <div className="page">
      <header className={styles.head}>
        <h1>Labels</h1>
        <RunPicker name="Run" value={view.run_id} onChoose={(run) => navigate(labelsHref(run))} />
        <label>
          <span className="visually-hidden">Scenario</span>
          <select
            value={chosen}
            onChange={({ target }) => go(Number(target.value), judgesOf(view.scenarios[Number(target.value)])[0])}
          >
            {view.scenarios.map((each, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the scenarios of a run never change places.
              <option key={index} value={index}>
                {each.name} · {each.model}
              </option>
            ))}
          </select>
        </label>
        <label>
          <span className="visually-hidden">For</span>
          <select value={assertion} onChange={({ target }) => go(chosen, target.value)}>
            {judges.map((id) => (
              <option key={id} value={id}>
                the judge {id}
              </option>
            ))}
            <option value={WHOLE}>the trial as a whole</option>
          </select>
        </label>
        <label className="small">
          <input type="checkbox" checked={isBlind} onChange={() => setBlind(!isBlind)} /> Blind: without the verdicts of
          judges and other people
        </label>
        <PersonField person={person} />
      </header>
      <Queue
        key={`${chosen} ${assertion}`}
        address={{ run: view.run_id, scenario: chosen, assertion: about.assertion_id, blindFor: isBlind ? name : null }}
        person={name}
      />
      <p className="soft small">
        Trials that wait for people come first. The others are drawn so that those come next on which a label would tell
        most: three tenths of the chance are the same for all, the rest goes by doubt. Doubt is largest where judges or
        votes disagree, or the probability is near one half, and is never 0. Each label is stored with its chance of
        being drawn, and weighted by it, so rates stay those of all trials. A trial that you skip stays in the draw and
        counts as missing. <code>salvo export {view.run_id} --to-label</code> writes the same order to a file.
      </p>
      <Agreement key={`${isBlind} ${assertion}`} subject={about} isBlind={isBlind} />
      <p className="soft small">
        <code>salvo calibrate</code> computes the same in the terminal.{' '}
        <Link href={runHref(view.run_id)}>To the run</Link>
      </p>
    </div>
  );
}

function Queue({ address, person }: { address: Parameters<typeof useQueue>[0]; person: string }) {
  const queue = useQueue(address);
  if (person.trim() === '') return <p role="alert">Say who gives the labels.</p>;
  return (
    <LoadState query={queue}>
      {(view) =>
        view.items.length === 0 ? (
          <p>Nothing was recorded of this scenario.</p>
        ) : (
          <LabelQueueView queue={view} person={person} isBlind={address.blindFor !== null} />
        )
      }
    </LoadState>
  );
}

function judgesOf(scenario: ScenarioView | undefined): string[] {
  const judges = scenario?.assertions.filter(({ type, is_pairwise }) => type === 'judge' && !is_pairwise) ?? [];
  return judges.map(({ id }) => id);
}

function firstWithJudge(scenarios: readonly ScenarioView[]): number {
  return Math.max(
    0,
    scenarios.findIndex((scenario) => judgesOf(scenario).length > 0),
  );
}
