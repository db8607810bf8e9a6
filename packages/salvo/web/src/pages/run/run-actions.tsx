import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { at } from '../../../../src/app/view/address-parts.ts';
import { PAGE } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { useDeleteRun, useProject, useResume, useRight } from '../../api.ts';
import { api } from '../../client.ts';
import { Problem, WorkActions } from '../../parts/work-actions.tsx';
import styles from './run-actions.module.css';

/** Stop or resume the run, or delete it. */
export function RunActions({ view }: { view: RunView }) {
  const { data: project } = useProject();
  const [mayRun, mayDelete] = [useRight('run'), useRight('delete')];
  const stop = () => api.runs[':run'].stop.$post(at({ run: view.run_id }));
  return (
    <WorkActions view={view} units="trials" stop={stop}>
      {mayRun && view.can_resume && <ResumeForm runId={view.run_id} mostUsd={project?.max_budget_usd ?? null} />}
      {mayDelete && !view.is_running && <DeleteButton runId={view.run_id} />}
    </WorkActions>
  );
}

/** The budget of the earlier process is not stored, so another one can be given, up to the limit that the owner has set. */
function ResumeForm({ runId, mostUsd }: { runId: string; mostUsd: number | null }) {
  const resume = useResume();
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
