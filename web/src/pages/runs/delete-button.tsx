import { useDeleteRun, useProject } from '../../api.ts';
import styles from './run-table.module.css';

export function DeleteButton({ runId, isRunning }: { runId: string; isRunning: boolean }) {
  const { data: project } = useProject();
  const remove = useDeleteRun();
  if (!project?.live) return null;
  return (
    <>
      <button
        type="button"
        className={styles.delete}
        disabled={isRunning || remove.isPending}
        title={isRunning ? 'Stop the run first' : undefined}
        aria-label={`Delete run ${runId}`}
        onClick={() => remove.mutate(runId)}
      >
        Delete
      </button>
      {remove.isError && (
        <div role="alert" className={styles.error}>
          {remove.error.message}
        </div>
      )}
    </>
  );
}
