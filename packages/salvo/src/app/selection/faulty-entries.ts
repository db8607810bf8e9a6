import type { FaultsOfRun } from '../../run/record/run-record.ts';
import {
  faultLabels,
  faultsOfUnknownTools,
  faultyScenario,
  type GivenFaults,
} from '../../scenario/faults/faulty-scenario.ts';
import { readFaultsFile } from '../../scenario/faults/read-faults-file.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Fault } from '../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { CandidateOptions, ChaosDoses } from './candidates.ts';

interface WithScenario {
  loaded: LoadedScenario;
}

interface GivenEntries<Entry> {
  chosen: readonly Entry[];
  skipped: readonly Entry[];
}

/** The entries of a run with its faults: with `chaos`, one for each dose, and one for each fault alone. */
export function faultyEntries<Entry extends WithScenario>(
  entries: GivenEntries<Entry>,
  { faults, chaos, failed, cwd }: Pick<CandidateOptions, 'faults' | 'chaos'> & { failed: boolean; cwd: string },
): { chosen: Entry[]; skipped: Entry[]; faults: FaultsOfRun } {
  if (chaos && failed) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      'What failed in a run cannot be chosen for several doses: name the scenarios.',
    );
  }
  const list = faults === undefined ? undefined : readFaultsFile(faults, cwd);
  const scenarios = [...entries.chosen, ...entries.skipped].map(({ loaded }) => loaded.scenario);
  if (list) refuseUnknownTools(list, scenarios, faults);
  const withoutTools = chaos && entries.chosen.find(({ loaded }) => loaded.scenario.tools.length === 0);
  if (withoutTools) {
    throw new SalvoError(
      'OPTIONS_INVALID',
      `${withoutTools.loaded.relativeFile} has no tools, so that none of its calls can fail: choose other scenarios.`,
    );
  }
  const chosen = entries.chosen.flatMap((entry) =>
    chaos ? variantsOf(entry, { list, chaos }) : [faulty(entry, { list })],
  );
  const skipped = entries.skipped.map((entry) => faulty(entry, { list }));
  const variants = [...chosen, ...skipped].map(({ loaded }) => loaded.scenario.variant ?? null);
  return { chosen, skipped, faults: { ...(list && { list }), ...(chaos && { variants }) } };
}

function variantsOf<Entry extends WithScenario>(
  entry: Entry,
  { list, chaos }: { list: Fault[] | undefined; chaos: ChaosDoses },
): Entry[] {
  const labels = faultLabels(faulty(entry, { list }).loaded.scenario);
  // With one fault the mixture is that fault.
  const isAlone = chaos.alone > 0 && labels.length > 1;
  const alone = isAlone ? labels.map((label) => ({ dose: chaos.alone, alone: label })) : [];
  const doses = chaos.doses.map((dose) => ({ dose, alone: null }));
  return [...doses, ...alone].map((variant) => faulty(entry, { list, variant }));
}

function faulty<Entry extends WithScenario>(entry: Entry, given: GivenFaults): Entry {
  return { ...entry, loaded: faultyScenario(entry.loaded, given) };
}

function refuseUnknownTools(
  list: readonly Fault[],
  scenarios: Parameters<typeof faultsOfUnknownTools>[1],
  file: string | undefined,
): void {
  const [unknown] = faultsOfUnknownTools(list, scenarios);
  if (!unknown) return;
  const names = unknown.tools?.map((name) => `"${name}"`).join(', ');
  throw new SalvoError(
    'OPTIONS_INVALID',
    `${file}: the fault ${unknown.kind} is for ${names}, and no scenario that is chosen has such a tool.`,
  );
}
