import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { createGlob } from '../../../text/glob.ts';
import type { Evaluator } from '../../evaluator.ts';

const CHANGED: ReadonlySet<string> = new Set(['added', 'changed', 'deleted']);
const MOST_NAMED = 5;

/** Passes if no file of these paths was added, changed or deleted. */
export const evaluateFileUnchanged: Evaluator<AssertionOf<'file_unchanged'>> = (assertion, { workspace }) => {
  if (!workspace) return { score: null, details: 'the trace has no workspace' };
  const isMeant = createGlob([assertion.paths].flat());
  const isExcepted = createGlob([assertion.except ?? []].flat());
  const changed = workspace.files.filter(
    // The root itself stands for everything in it: it was replaced by a link, or cannot be read.
    ({ path, change }) => CHANGED.has(change) && (path === '.' || (isMeant(path) && !isExcepted(path))),
  );
  const meant = [assertion.paths].flat().join(', ');
  if (changed.length > 0) {
    const names = changed.slice(0, MOST_NAMED).map(({ path, change }) => `${path} (${change})`);
    const more = changed.length > MOST_NAMED ? [`${changed.length - MOST_NAMED} more`] : [];
    return { score: 0, details: `the agent changed ${[...names, ...more].join(', ')}` };
  }
  if (workspace.problem !== undefined) {
    return { score: null, details: `the files after the trial are not known: ${workspace.problem}` };
  }
  if (workspace.not_listed !== undefined) {
    const details = `the agent changed ${workspace.not_listed} more files than the trace lists, which may be among them`;
    return { score: null, details };
  }
  return { score: 1, details: `nothing of ${meant} was changed` };
};
