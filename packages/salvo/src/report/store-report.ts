import type { QueueStatus } from '../queue/work-queue.ts';
import { formatBytes, formatPlural } from '../stats/format.ts';
import type { ImportedStore, StoreDescription, UnreadableRun } from '../store/store.ts';
import { safeLine } from '../text/output/safe-text.ts';
import { figure, table } from './document/document.ts';
import { toTerminal } from './document/terminal.ts';
import type { Look } from './terminal/look.ts';

/** What is stored and what is going on, for `salvo db status`. */
export function renderStoreStatus(status: StoreDescription & { work: QueueStatus | null }, look: Look): string {
  const { server, place, schema_version, bytes, tables, under_way, work } = status;
  const report = [
    { lines: [place, `${server}, tables of version ${schema_version}, ${formatBytes(bytes)}`] },
    table(tables, [
      { header: 'Table', priority: 10, cell: ({ name }) => name },
      figure('Rows', 9, ({ rows }) => String(rows)),
      figure('Size', 8, ({ bytes: size }) => (size === null ? '' : formatBytes(size))),
    ]),
    { lines: underWayLines(under_way, work?.orders ?? []) },
    { lines: work ? workerLines(work) : [] },
  ];
  return toTerminal(report, look, { narrowest: 40, widest: 120 });
}

function underWayLines(here: StoreDescription['under_way'], orders: QueueStatus['orders']): string[] {
  const byWorkers = orders.map(
    ({ work, waiting, active, failed, has_coordinator }) =>
      `Under way: ${work.kind} ${safeLine(work.id)}, ${formatPlural(waiting, 'job')} waiting, ${active} active, ${failed} failed${has_coordinator ? '' : ', coordinated by nobody'}`,
  );
  const others = here.filter(({ kind, id }) => !orders.some(({ work }) => work.kind === kind && work.id === id));
  const lines = [...byWorkers, ...others.map(({ kind, id }) => `Under way: ${kind} ${safeLine(id)}`)];
  return lines.length === 0 ? ['Nothing is under way.'] : lines;
}

function workerLines({ workers }: QueueStatus): string[] {
  const present = workers.map(
    ({ host, pid, salvo_version, labels, concurrency, idle_s }) =>
      `Worker on ${safeLine(host)} (process ${pid}): Salvo ${safeLine(salvo_version)}, ${concurrency} at once${labels.length > 0 ? `, labels ${labels.map((label) => safeLine(label)).join(', ')}` : ''}, seen ${Math.round(idle_s)} s ago`,
  );
  return present.length === 0 ? ['No worker is there.'] : present;
}

/** A line for each run that is in no list because it can't be read, and what can be done about it. */
export function unreadableLines(runs: readonly Omit<UnreadableRun, 'finished_at' | 'status'>[]): string {
  const [first] = runs;
  if (!first) return '';
  const lines = runs.map(
    ({ run_id, created_at, salvo_version, why }) =>
      `Run ${safeLine(run_id)} of ${safeLine(created_at, 24)} can't be read (${safeLine(why, 100)}). Salvo ${safeLine(salvo_version, 30)} wrote it.`,
  );
  const export_ = `salvo export ${safeLine(first.run_id)} --raw`;
  return `${lines.join('\n')}\n${export_} writes what is stored of it; salvo db prune --unreadable removes all such runs.\n`;
}

export function importText(imported: ImportedStore): string {
  const { work, labels, calibrations, comparisons, unreadable, place, isInterrupted } = imported;
  const counts = Object.values(work);
  const all = [
    ...Object.entries(work).map(([kind, { imported: count }]) => formatPlural(count, kind)),
    formatPlural(labels, 'label'),
    formatPlural(calibrations, 'calibration'),
    formatPlural(comparisons, 'comparison'),
  ];
  const lines = [`Imported to ${safeLine(place)}: ${all.join(', ')}.`];
  const present = counts.reduce((sum, count) => sum + count.present, 0);
  const underWay = counts.reduce((sum, count) => sum + count.underWay, 0);
  if (present > 0) lines.push(`There already, and left as they were: ${present}.`);
  if (underWay > 0) lines.push(`Under way, and left out: ${underWay}. Import again when they have ended.`);
  const left = [...counts.flatMap((count) => count.unreadable), ...unreadable];
  if (left.length > 0)
    lines.push(`Left out, because they can't be read: ${left.map((id) => safeLine(id)).join(', ')}.`);
  if (isInterrupted) lines.push('It was interrupted. Import again to copy the rest.');
  return `${lines.join('\n')}\n`;
}

export function pruneText(
  { work, kept }: { work: Record<string, { ids: readonly string[]; removed: number }>; kept: string | null },
  { before, isUnreadable, isDryRun }: { before: Date | null; isUnreadable: boolean; isDryRun: boolean },
): string {
  const chosen = Object.entries(work).map(([kind, { ids, removed }]) =>
    formatPlural(isDryRun ? ids.length : removed, kind),
  );
  const which = [
    ...(isUnreadable ? ["can't be read"] : []),
    ...(before ? [`ended before ${before.toISOString().slice(0, 10)}`] : []),
  ];
  const lines = [`${isDryRun ? 'Would remove' : 'Removed'} ${chosen.join(' and ')} that ${which.join(' and ')}.`];
  if (kept !== null) lines.push(`Run ${safeLine(kept)} is kept: the project's baseline was made of it.`);
  return `${lines.join('\n')}\n`;
}
