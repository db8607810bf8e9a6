import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { PAGE } from '../../../src/app/view/page-hrefs.ts';
import type { ViewedPage } from '../../../src/app/view/viewed-project.ts';
import { addedPages } from '../added-pages.ts';
import { useDeletedRuns, useProject, useRestoreRuns } from '../api.ts';
import icon from '../icon.svg';
import { type Connection, useLiveUpdates } from '../live-updates.ts';
import { remember, remembered } from '../remembered.ts';
import { usePageChange } from '../use-page-change.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import styles from './frame.module.css';

interface Place {
  href: string;
  name: string;
  /** Pages whose addresses begin so belong to it. */
  begins: string[];
}

/** Those of packages come between them and the last ones. */
const FIRST_PLACES: Place[] = [
  { href: '/', name: 'Runs', begins: ['/', PAGE.runs, PAGE.traces] },
  { href: PAGE.compare, name: 'Compare', begins: [PAGE.compare] },
];
const LAST_PLACES: Place[] = [
  { href: PAGE.judges, name: 'Judges', begins: [PAGE.judges] },
  { href: PAGE.mutations, name: 'Mutants', begins: [PAGE.mutations] },
  { href: PAGE.labels, name: 'Labels', begins: [PAGE.labels] },
];

/** What is around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  const project = useProject();
  const isLive = project.data?.live ?? false;
  const connection = useLiveUpdates(isLive);
  const page = usePageChange();
  const contents = project.data?.contents.map(placeOf) ?? [];
  const places =
    contents.length > 0 ? contents : [...FIRST_PLACES, ...addedPages().places.map(placeOf), ...LAST_PLACES];
  return (
    <>
      <button type="button" className={styles.skip} onClick={skipToContent}>
        Skip to the content
      </button>
      <header className={styles.header}>
        <Link href={places[0]?.href ?? '/'} className={styles.brand}>
          <img src={icon} alt="" width={22} height={22} />
          <span>Salvo</span>
          {project.data && <span className={styles.project}>{project.data.name}</span>}
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          {places.map(({ href, name, begins }) => (
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
        {isLive && <ConnectionNote connection={connection} />}
        <ThemeSwitch />
      </header>
      <main id="content" tabIndex={-1} className={styles.main}>
        <ErrorBoundary page={page}>{children}</ErrorBoundary>
      </main>
      <UndoBar />
    </>
  );
}

function placeOf({ name, href }: ViewedPage): Place {
  return { name, href, begins: [href] };
}

function isIn(location: string, begins: readonly string[]): boolean {
  return begins.some((place) => location === place || (place !== '/' && location.startsWith(`${place}/`)));
}

function skipToContent(): void {
  document.getElementById('content')?.focus();
}

/** Whether the page learns of changes. */
function ConnectionNote({ connection }: { connection: Connection }) {
  return (
    <span role="status" className={`${styles.note} ${styles[connection]}`}>
      <span aria-hidden="true" className={styles.dot} />
      {connection === 'connected' && 'Live'}
      {connection === 'reconnecting' && 'Reconnecting…'}
      {connection === 'ended' && 'This viewer has ended: run salvo view again'}
    </span>
  );
}

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const THEME_KEY = 'salvo-theme';

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => themeOf(remembered(THEME_KEY)));
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    remember(THEME_KEY, theme);
  }, [theme]);
  return (
    <label>
      <span className="visually-hidden">Colours</span>
      <select value={theme} onChange={({ target }) => setTheme(themeOf(target.value))}>
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}

function themeOf(name: string | null): Theme {
  return THEMES.find((each) => each === name) ?? 'system';
}

/** Says which runs were deleted, and brings them back. */
function UndoBar() {
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
    <section className={styles.undo} aria-label="Deleted runs">
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
