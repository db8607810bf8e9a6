import type { UnreadableRun } from '../../../../src/store/store.ts';
import { formatTime } from '../../format-time.ts';
import { DeleteButton } from './delete-button.tsx';

/** A line for each run that is in no table because its documents can't be read. */
export function UnreadableRuns({ runs }: { runs: readonly UnreadableRun[] }) {
  if (runs.length === 0) return null;
  return (
    <section aria-label="Runs that can't be read">
      <p>
        {runs.length === 1 ? 'A run' : `${runs.length} runs`} can't be read. <code>salvo export ID --raw</code> writes
        what is stored.
      </p>
      <ul>
        {runs.map(({ run_id, created_at, salvo_version, why }) => (
          <li key={run_id}>
            {run_id.slice(0, 10)} of {formatTime(created_at)}, written by Salvo {salvo_version}: {why}{' '}
            <DeleteButton runId={run_id} isRunning={false} />
          </li>
        ))}
      </ul>
    </section>
  );
}
