import { useEffect, useRef } from 'react';
import { useDeletedRuns, useRestoreRuns } from '../api.ts';
import styles from './undo-bar.module.css';

/** Says which runs were deleted, and brings them back. */
export function UndoBar() {
  const { deleted, forget } = useDeletedRuns();
  const restore = useRestoreRuns();
  const undo = useRef<HTMLButtonElement>(null);
  const count = deleted.length;
  useEffect(() => {
    // The button that deleted the run is gone: the keyboard goes on here.
    if (count > 0) undo.current?.focus({ preventScroll: true });
  }, [count]);
  if (count === 0) return null;
  const what = count === 1 ? `Run ${deleted[0]} was deleted.` : `${count} runs were deleted.`;
  return (
    <section className={styles.bar} aria-label="Deleted runs">
      <span role="status">{what}</span>
      {restore.isError && <span role="alert">{restore.error.message}</span>}
      <button type="button" ref={undo} disabled={restore.isPending} onClick={() => restore.mutate(deleted)}>
        Undo
      </button>
      <button type="button" onClick={() => forget(deleted)} aria-label="Close this note">
        ✕
      </button>
    </section>
  );
}
