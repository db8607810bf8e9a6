import { useDeleteRun, useRight } from '../../api.ts';
import styles from './run-table.module.css';

export function DeleteButton({ runId, isRunning }: { runId: string; isRunning: boolean }) {
  const mayDelete = useRight('delete');
  const remove = useDeleteRun();
  if (!mayDelete) return null;
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
