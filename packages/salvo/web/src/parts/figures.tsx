import type { ReactNode } from 'react';
import styles from './figures.module.css';

/** The main figures of something, side by side. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={styles.figures}>{children}</dl>;
}

export function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.figure}>
      <dt className="soft fine">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
