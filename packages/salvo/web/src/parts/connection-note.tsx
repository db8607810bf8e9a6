import type { Connection } from '../live-updates.ts';
import styles from './connection-note.module.css';

/** Whether the page learns of changes. */
export function ConnectionNote({ connection }: { connection: Connection }) {
  return (
    <span role="status" className={`${styles.note} ${styles[connection]}`}>
      <span aria-hidden="true" className={styles.dot} />
      {connection === 'connected' && 'Live'}
      {connection === 'reconnecting' && 'Reconnecting…'}
      {connection === 'ended' && 'This viewer has ended: run salvo view again'}
    </span>
  );
}
