import { loadSettings } from '../../scenario/load-project.ts';
import { comparisonsOf, type UnreadableComparison } from '../../store/comparison-tables.ts';
import { judgesOf, type UnreadableCalibration } from '../../store/judge-tables.ts';
import type { Store } from '../../store/store.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { openResources } from '../../text/open-resources.ts';
import { salvoCommand } from '../../text/output/salvo-command.ts';
import { openProjectStore, type Workplace } from '../project/open-project.ts';

/** How many characters of a judge's hash are shown. */
const SHOWN = 12;

/** What is said of a calibration; null for the model of one that can't be read. */
type Forgotten = Pick<UnreadableCalibration, 'judge_hash' | 'created_at'> & { judge_model: string | null };

/** What was removed: a calibration, or a comparison of judges. */
export type Removed = ({ what: 'calibration' } & Forgotten) | { what: 'comparison'; id: string; created_at: string };

/**
 * Removes the stored calibration of a judge, so that runs are no longer corrected by it. `judge` is the beginning of its
 * hash; it may be left out if there is only one calibration. The labels stay. If it is the id of a stored comparison of
 * judges, that is removed.
 */
export async function forgetCalibration(given: Workplace & { judge?: string | undefined } = {}): Promise<Removed> {
  const { cwd = process.cwd(), env = process.env, judge = '' } = given;
  const project = await loadSettings(cwd);
  await using resources = openResources();
  const opened = await openProjectStore(project, { env, mustExist: true });
  const store = resources.adopt(opened, (each) => each.close());
  const removed = await forgetComparison(store, judge);
  if (removed) return removed;
  const judges = judgesOf(store);
  const unreadable: UnreadableCalibration[] = [];
  const readable = await judges.listCalibrations({ onUnreadable: (each) => unreadable.push(each) });
  const all = [...readable, ...unreadable.map((each) => ({ ...each, judge_model: null }))];
  const found = all.filter(({ judge_hash }) => judge_hash.startsWith(judge));
  const [only, ...others] = found;
  if (!only) {
    const isNamed = judge !== '';
    const why = isNamed ? `No stored calibration or comparison is named ${judge}.` : 'No calibration is stored.';
    throw new SalvoError('JUDGE_UNKNOWN', `${why}${listed(all)}`);
  }
  if (others.length > 0) {
    throw new SalvoError('JUDGE_AMBIGUOUS', `${found.length} calibrations are stored. Choose one:${listed(found)}`);
  }
  await judges.deleteCalibration(only.judge_hash);
  return { what: 'calibration', ...only };
}

/** Null if no comparison has this id. */
async function forgetComparison(store: Store, id: string): Promise<Removed | null> {
  const { listComparisons, deleteComparison } = comparisonsOf(store);
  const unreadable: UnreadableComparison[] = [];
  const readable = await listComparisons({ onUnreadable: (each) => unreadable.push(each) });
  const found = [...readable, ...unreadable].find(({ comparison_id }) => comparison_id === id);
  if (!found) return null;
  await deleteComparison(id);
  return { what: 'comparison', id, created_at: found.created_at };
}

/** The command that removes the calibration of this judge. */
export function forgetCommand(judgeHash: string): string {
  return `${salvoCommand()} calibrate --forget ${judgeHash.slice(0, SHOWN)}`;
}

function listed(records: readonly (Forgotten & { why?: string })[]): string {
  return records
    .map(
      ({ judge_hash, judge_model, created_at, why }) =>
        `\n  ${forgetCommand(judge_hash)}   ${judge_model ?? `judge unknown: it can't be read (${why})`}, ${created_at.slice(0, 10)}`,
    )
    .join('');
}
