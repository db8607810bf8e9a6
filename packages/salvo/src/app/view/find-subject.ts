import { openDoors } from '../../extension/load-extension.ts';
import { latestRunId } from '../../store/resolve-id.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { list } from '../../text/words/value-words.ts';
import { findRun } from '../project/open-project.ts';
import { runHref } from './page-hrefs.ts';
import type { ViewedProject } from './viewed-project.ts';
import type { ViewedSubject, ViewerDoor } from './viewer-door.ts';

/** Something stored that has a page. Salvo itself knows what the pages of a run ask for. */
export type Subject = (Omit<ViewedSubject, 'answers'> & { kind: 'run' }) | (ViewedSubject & { kind: 'added' });

/** What a user means by `latest`, by an id or by the beginning of one. Runs come before what packages store. */
export async function findSubject(store: Store, words: string, doors: readonly ViewerDoor[]): Promise<Subject> {
  const isLatest = words === 'latest';
  const [run] = isLatest ? [(await latestRunId(store)) ?? undefined] : await store.findRunIds(words, 1);
  if (run !== undefined && (isLatest || run === words)) return runSubject(run);
  const added = (await Promise.all(doors.map((door) => door.find?.(store, words)))).flatMap((found): Subject[] =>
    found ? [{ kind: 'added', ...found }] : [],
  );
  const found = [...(run === undefined ? [] : [runSubject(run)]), ...added];
  const [first] = found;
  if (first === undefined) throw unknownTarget(words, ['run', ...doors.flatMap(({ subjects }) => subjects ?? [])]);
  const exact = isLatest ? first : found.find(({ id }) => id === words);
  if (exact === undefined && found.length > 1) {
    const names = list(
      found.map(({ name }) => name),
      'and',
    );
    throw new SalvoError('TARGET_AMBIGUOUS', `${names} begin with ${JSON.stringify(words)}. Give more of the id.`);
  }
  const meant = exact ?? first;
  // Several runs may begin so.
  return meant.kind === 'run' ? runSubject((await findRun(store, words)).run_id) : meant;
}

/** The address of the page of what a user names, with `#`; empty for the front page. */
export async function pageAddress(viewed: Pick<ViewedProject, 'store'>, target: string | undefined): Promise<string> {
  if (target === undefined) return '';
  const store = await viewed.store();
  if (store === null) throw unknownTarget(target, ['run']);
  return `#${(await findSubject(store, target, await openDoors('viewer'))).href}`;
}

function runSubject(id: string): Subject {
  return { kind: 'run', id, name: `Run ${id}`, href: runHref(id) };
}

function unknownTarget(target: string, kinds: string[]): SalvoError {
  return new SalvoError(
    'TARGET_UNKNOWN',
    `No ${list(kinds, 'or')} has an id that begins with ${JSON.stringify(target)}. \`salvo view\` lists what there is.`,
  );
}
