import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { PAGE } from '../../src/app/view/page-hrefs.ts';
import { addedPages } from './added-pages.ts';

/** Parts of an address that say what is chosen on a page, not which page it is. */
const CHOSEN = /\/where\/.*$|(?<=\/trials\/\d+\/\d+\/\d+)\/.*$|(?<=^\/traces\/[^/]+)\/.*$/;

let isBackOrForward = false;
// Browsers that do not know it yet begin at the top on the way back, too.
if ('navigation' in window) {
  window.navigation.addEventListener('navigate', ({ navigationType }) => {
    isBackOrForward = navigationType === 'traverse';
  });
}

/**
 * A link to another page leads to its top, with the focus in its content: a browser does both for documents, but not
 * for a page that only changes what it shows. On the way back it restores the position itself. Returns the
 * address of the page, without what is chosen on it.
 */
export function usePageChange(): string {
  const [location] = useLocation();
  const page = location === '/' ? PAGE.runs : [CHOSEN, ...addedPages().chosen].reduce(without, location);
  const shown = useRef(page);
  useEffect(() => {
    const isKept = shown.current === page || isBackOrForward;
    shown.current = page;
    if (isKept) return;
    window.scrollTo(0, 0);
    document.getElementById('content')?.focus({ preventScroll: true });
  }, [page]);
  return page;
}

function without(location: string, chosen: RegExp): string {
  return location.replace(chosen, '');
}
