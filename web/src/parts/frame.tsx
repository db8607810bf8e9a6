import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useProject } from '../api.ts';
import icon from '../icon.svg';
import { useLiveUpdates } from '../live-updates.ts';
import styles from './frame.module.css';
import { ThemeSwitch } from './theme-switch.tsx';

const PLACES = [
  { href: '/', name: 'Runs', begins: ['/', '/runs'] },
  { href: '/compare', name: 'Compare', begins: ['/compare', '/traces'] },
  { href: '/labels', name: 'Labels', begins: ['/labels'] },
];

/** What is around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const project = useProject();
  useLiveUpdates(project.data?.live ?? false);
  return (
    <>
      <button type="button" className={styles.skip} onClick={skipToContent}>
        Skip to the content
      </button>
      <header className={styles.header}>
        <Link href="/" className={styles.brand}>
          <img src={icon} alt="" width={22} height={22} />
          <span>Salvo</span>
          {project.data && <span className={styles.project}>{project.data.name}</span>}
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          {PLACES.map(({ href, name, begins }) => (
            <Link
              key={href}
              href={href}
              className={styles.place}
              aria-current={isIn(location, begins) ? 'page' : undefined}
            >
              {name}
            </Link>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </main>
    </>
  );
}

function isIn(location: string, begins: readonly string[]): boolean {
  return begins.some((place) => location === place || (place !== '/' && location.startsWith(`${place}/`)));
}

function skipToContent(): void {
  document.getElementById('content')?.focus();
}
