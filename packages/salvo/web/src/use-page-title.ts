import { useEffect } from 'react';
import icon from './icon.svg';

/** What the tab of a page says about its subject. */
export type TabState = 'running' | 'pass' | 'fail' | 'unscored';

/** Each with a shape of its own, because colours alone do not tell them apart. */
const MARKS: Record<TabState, { sign: string; shape: string }> = {
  running: { sign: '… ', shape: '<circle cx="16" cy="16" r="12" fill="none" stroke="#6b7385" stroke-width="6"/>' },
  pass: { sign: '✓ ', shape: '<circle cx="16" cy="16" r="15" fill="#0b6bb5"/>' },
  fail: { sign: '✕ ', shape: '<path d="M5 5 27 27M27 5 5 27" stroke="#b4470a" stroke-width="8"/>' },
  unscored: { sign: '? ', shape: '<rect x="3" y="11" width="26" height="10" fill="#6b7385"/>' },
};

/** The title of the tab, and its icon: ours, or the state of what the page is about. */
export function usePageTitle(title: string, state: TabState | null = null): void {
  useEffect(() => {
    document.title = `${state === null ? '' : MARKS[state].sign}${title} · Salvo`;
    document.querySelector('link[rel=icon]')?.setAttribute('href', state === null ? icon : iconOf(MARKS[state].shape));
  }, [title, state]);
}

function iconOf(shape: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shape}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
