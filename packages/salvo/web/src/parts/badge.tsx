import styles from './badge.module.css';

/** How an outcome looks everywhere. The sign says it without colours. */
export interface BadgeLook {
  name: string;
  look: 'pass' | 'fail' | 'hardFail' | 'crash' | 'unscored' | 'running';
  sign: string;
}

export function Badge({ name, look, sign }: BadgeLook) {
  return (
    <span className={`${styles.badge} ${styles[look]}`}>
      <span aria-hidden="true">{sign}</span> {name}
    </span>
  );
}
