import type { Store } from '../../../store/store.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { findRun } from '../../project/open-project.ts';
import { type Output, outputGroups, outputRows } from '../../results/outputs-of-run.ts';

/** Longer texts are on the page of their trial. */
const MOST_CHARACTERS = 8000;
/** More different answers of one case are counted. */
const MOST_OUTPUTS = 3;

export type OutputsView = Awaited<ReturnType<typeof outputsView>>;

/** Some rows of the grid of answers of a scenario: rows by prompts and models. `group` is its position in the run. */
export async function outputsView(
  store: Store,
  idOrPrefix: string,
  { group, offset, limit }: { group: number; offset: number; limit: number },
) {
  const run = await findRun(store, idOrPrefix);
  const groups = outputGroups(run);
  const chosen = groups[group];
  if (!chosen) throw new SalvoError('SCENARIO_UNKNOWN', `Run ${run.run_id} has no scenario ${group}.`);
  const rows = await outputRows(store, run, { ...chosen, cases: chosen.cases.slice(offset, offset + limit) });
  return {
    run_id: run.run_id,
    groups: groups.map(({ name, cases, columns }) => ({ name, rows: cases.length, columns: columns.length })),
    group,
    offset,
    limit,
    total: chosen.cases.length,
    rows: rows.map(({ input, cells, ...row }) => ({
      ...row,
      input: input === null ? null : shortened(input),
      cells: cells.map(({ outputs, ...cell }) => ({
        ...cell,
        outputs: outputs.slice(0, MOST_OUTPUTS).map(shown),
        /** Different answers that are not shown. */
        more: Math.max(0, outputs.length - MOST_OUTPUTS),
      })),
    })),
  };
}

function shown(output: Output): Output & { is_cut: boolean } {
  const { text } = output;
  const cut = text === null ? null : shortened(text);
  return { ...output, text: cut, is_cut: cut !== text };
}

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : text.slice(0, MOST_CHARACTERS);
}
