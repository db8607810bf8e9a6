import { openDoors } from '../../extension/load-extension.ts';
import { latestRunId } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { list } from '../../text/words/value-words.ts';
import { findRun } from '../project/open-project.ts';
import { comparisonHref, runHref } from './page-hrefs.ts';
import type { ViewedProject } from './viewed-project.ts';
import type { ViewedSubject, ViewerDoor } from './viewer-door.ts';

/** Something stored that has a page. Salvo itself knows what the pages of a run ask for. */
export type Subject = (Omit<ViewedSubject, 'answers'> & { kind: 'run' }) | (ViewedSubject & { kind: 'added' });

/** What a user means by `latest`, by an id or by the beginning of one. Runs come before what packages store. */
export async function findSubject(store: Store, words: string, doors: readonly ViewerDoor[]): Promise<Subject> {
  const isLatest = words === 'latest';
  const [run] = isLatest ? [(await latestRunId(store)) ?? undefined] : await store.findRunIds(words, 1);
  if (run !== undefined && (isLatest || run === words)) return runSubject(run);
  const added = await addedSubjects(store, words, doors);
  const exact = isLatest ? added[0] : added.find(({ id }) => id === words);
  const found = exact ? [exact] : [...(run === undefined ? [] : [runSubject(run)]), ...added];
  if (found.length > 1) {
    const names = list(
      found.map(({ name }) => name),
      'and',
    );
    throw new SalvoError('TARGET_AMBIGUOUS', `${names} begin with ${JSON.stringify(words)}. Give more of the id.`);
  }
  const [meant] = found;
  // Several runs may begin so, or none.
  return meant?.kind === 'added' ? meant : runSubject((await findRun(store, words)).run_id);
}

/** The address of the page of what a user names, with `#`; empty for the front page. */
export async function pageAddress(viewed: Pick<ViewedProject, 'store'>, target: string | undefined): Promise<string> {
  if (target === undefined) return '';
  const store = await viewed.store();
  const doors = await openDoors('viewer');
  if (store !== null) {
    // The page finds the run: `latest` is another one tomorrow.
    const [run] = await store.findRunIds(target === 'latest' ? '' : target, 1);
    if (run !== undefined) return `#${runHref(target)}`;
    const [added] = await addedSubjects(store, target, doors);
    if (added) return `#${added.typedHref ?? added.href}`;
    const { comparisonsOf } = await import('../../store/comparison-tables.ts');
    if (await comparisonsOf(store).getComparison(target)) return `#${comparisonHref(target)}`;
  }
  const kinds = list(['run', 'comparison of judges', ...doors.flatMap(({ subjects }) => subjects ?? [])], 'or');
  throw new SalvoError(
    'TARGET_UNKNOWN',
    `No ${kinds} has an id that begins with ${JSON.stringify(target)}. \`salvo view\` lists what there is.`,
  );
}

async function addedSubjects(store: Store, words: string, doors: readonly ViewerDoor[]) {
  const found = await Promise.all(doors.map((door) => door.find?.(store, words)));
  return found.flatMap((each) => (each ? [{ kind: 'added' as const, ...each }] : []));
}

function runSubject(id: string): Subject {
  return { kind: 'run', id, name: `Run ${id}`, href: runHref(id) };
}
