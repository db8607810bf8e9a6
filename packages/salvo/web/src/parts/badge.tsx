import styles from './badge.module.css';
import type { BadgeLook } from './badge-look.ts';

export function Badge({ name, look, sign }: BadgeLook) {
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}
