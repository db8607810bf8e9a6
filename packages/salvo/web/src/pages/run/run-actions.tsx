import { useLocation } from 'wouter';
import { at } from '../../../../src/app/view/address-parts.ts';
import { PAGE } from '../../../../src/app/view/page-hrefs.ts';
import type { RunView } from '../../../../src/app/view/runs/run-view.ts';
import { useDeleteRun, useRight } from '../../api.ts';
import { api } from '../../client.ts';
import { Problem, WorkActions } from '../../parts/work-actions.tsx';

/** Stop or resume the run, or delete it. */
export function RunActions({ view }: { view: RunView }) {
  const mayDelete = useRight('delete');
  const run = api.runs[':run'];
  const address = at({ run: view.run_id });
  const resume = (budget_usd: number | undefined) => run.resume.$post({ ...address, json: { budget_usd } });
  return (
    <WorkActions
      view={view}
      units="trials"
      stop={() => run.stop.$post(address)}
      resume={view.can_resume ? resume : undefined}
    >
      {mayDelete && !view.is_running && <DeleteButton runId={view.run_id} />}
    </WorkActions>
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
