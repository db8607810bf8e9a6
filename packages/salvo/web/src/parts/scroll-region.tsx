import type { ReactNode } from 'react';
import styles from './scroll-region.module.css';

/** Something wide, such as a table, that scrolls by itself where the screen is narrow. */
export function ScrollRegion({ name, children }: { name: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard cannot scroll the region.
    <section className={styles.region} aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}
