import type { BadgeLook } from 'salvo/viewer-parts';
import styles from './looks.module.css';
import { FINDING_LOOKS, flawLook } from './selection.ts';

export function LookSign({ look }: { look: BadgeLook }) {
  return (
    <span aria-hidden="true" className={`${styles.sign} tone-${look.look}`}>
      {look.sign}
    </span>
  );
}

export function LookBadge({ look }: { look: BadgeLook }) {
  return (
    <span className={`${styles.badge} tone-${look.look}`}>
      <span aria-hidden="true">{look.sign}</span> {look.name}
    </span>
  );
}

export function LookLegend() {
  const { match: _, ...others } = FINDING_LOOKS;
  const looks = [flawLook({ found_by: 0 }), flawLook({ found_by: null }), ...Object.values(others)];
  return (
    <ul className={styles.legend} aria-label="Signs">
      {looks.map((look) => (
        <li key={look.name}>
          <LookSign look={look} /> {look.name}
        </li>
      ))}
    </ul>
  );
}
