import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { WorkUnderWay } from '../../../src/app/view/work-under-way.ts';
import { useProject, useRight } from '../api.ts';
import { visibleText } from '../visible-text.ts';
import styles from './work-actions.module.css';

/** Asks the server to go on, with a budget if one was given. */
type Resume = (budgetUsd: number | undefined) => Promise<unknown>;

/** What can be done to work of any kind: it is stopped while it is under way, and resumed if it is not complete. `children` are further actions of its kind. */
export function WorkActions({
  view,
  units,
  stop,
  resume,
  children,
}: {
  view: WorkUnderWay;
  /** What it consists of, such as `trials`. */
  units: string;
  /** Asks the server to stop it. */
  stop: () => Promise<unknown>;
  /** Undefined if there is nothing to resume. */
  resume: Resume | undefined;
  children?: ReactNode;
}) {
  const { data: project } = useProject();
  const mayRun = useRight('run');
  // An HTML file shows what was stored when it was written.
  if (!project?.live) return null;
  return (
    <div className={styles.actions}>
      {view.no_worker !== null && (
        <p role="status" className={styles.problem}>
          No worker can take its {units}. {visibleText(view.no_worker)}
        </p>
      )}
      {mayRun && view.is_running && <StopButton stops={view.stops} units={units} stop={stop} />}
      {mayRun && resume && <ResumeForm resume={resume} mostUsd={project.max_budget_usd} />}
      {children}
    </div>
  );
}

function StopButton({ stops, units, stop }: { stops: number; units: string; stop: () => Promise<unknown> }) {
  const queries = useQueryClient();
  const stopping = useMutation({ mutationFn: stop, onSettled: () => queries.invalidateQueries() });
  return (
    <>
      {stops > 0 && (
        <span role="status" className="soft">
          {stops === 1 ? `Finishing the ${units} under way…` : `Giving up the ${units} under way…`}
        </span>
      )}
      <button type="button" disabled={stopping.isPending || stops > 1} onClick={() => stopping.mutate()}>
        {stops === 0 ? 'Stop' : 'Stop at once'}
      </button>
      <Problem error={stopping.error} />
    </>
  );
}

/** The budget of the earlier process is not stored, so another one can be given, up to the limit that the owner has set. */
function ResumeForm({ resume, mostUsd }: { resume: Resume; mostUsd: number | null }) {
  const queries = useQueryClient();
  const resuming = useMutation({ mutationFn: resume, onSettled: () => queries.invalidateQueries() });
  const [budget, setBudget] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    resuming.mutate(budget === '' ? undefined : Number(budget));
  };
  return (
    <form className={styles.resume} onSubmit={onSubmit}>
      {mostUsd !== null && (
        <label className="soft small">
          Budget $
          <input
            type="number"
            min="0.01"
            max={mostUsd}
            step="any"
            placeholder={`at most ${mostUsd}`}
            value={budget}
            onChange={({ target }) => setBudget(target.value)}
          />
        </label>
      )}
      <button type="submit" disabled={resuming.isPending}>
        {resuming.isPending ? 'Starting…' : 'Resume'}
      </button>
      <Problem error={resuming.error} />
    </form>
  );
}

/** Why an action failed. */
export function Problem({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className={styles.problem}>
      {error.message}
    </p>
  );
}
