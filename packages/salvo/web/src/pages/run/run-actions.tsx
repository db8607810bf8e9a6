import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { PAGE } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { useDeleteRun, useProject, useRight, useRunAction } from '../../api.ts';
import styles from './run-actions.module.css';

/** Stop or resume the run, or delete it. */
export function RunActions({ view }: { view: RunView }) {
  const { data: project } = useProject();
  const [mayRun, mayDelete] = [useRight('run'), useRight('delete')];
  if (!project?.live) return null;
  return (
    <div className={styles.actions}>
      {view.no_worker !== null && (
        <p role="status" className={styles.problem}>
          No worker can take its trials. {view.no_worker}
        </p>
      )}
      {mayRun && view.is_running && <StopButton view={view} />}
      {mayRun && view.can_resume && <ResumeForm runId={view.run_id} mostUsd={project.max_budget_usd} />}
      {mayDelete && !view.is_running && <DeleteButton runId={view.run_id} />}
    </div>
  );
}

function StopButton({ view: { run_id: runId, stops } }: { view: RunView }) {
  const stop = useRunAction('stop');
  return (
    <>
      {stops > 0 && (
        <span role="status" className="soft">
          {stops === 1 ? 'Finishing the trials under way…' : 'Giving up the trials under way…'}
        </span>
      )}
      <button type="button" disabled={stop.isPending || stops > 1} onClick={() => stop.mutate({ runId })}>
        {stops === 0 ? 'Stop' : 'Stop at once'}
      </button>
      <Problem error={stop.error} />
    </>
  );
}

/** The budget of the earlier process is not stored, so another one can be given, up to the limit that the owner has set. */
function ResumeForm({ runId, mostUsd }: { runId: string; mostUsd: number | null }) {
  const resume = useRunAction('resume');
  const [budget, setBudget] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    resume.mutate({ runId, budget_usd: budget === '' ? undefined : Number(budget) });
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
      <button type="submit" disabled={resume.isPending}>
        {resume.isPending ? 'Starting…' : 'Resume'}
      </button>
      <Problem error={resume.error} />
    </form>
  );
}

function DeleteButton({ runId }: { runId: string }) {
  const remove = useDeleteRun();
  const [, navigate] = useLocation();
  return (
    <>
      <button
        type="button"
        disabled={remove.isPending}
        onClick={() => remove.mutate(runId, { onSuccess: () => navigate(PAGE.runs) })}
      >
        Delete
      </button>
      <Problem error={remove.error} />
    </>
  );
}

function Problem({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <p role="alert" className={styles.problem}>
      {error.message}
    </p>
  );
}
