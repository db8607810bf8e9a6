import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { RunRecord } from '../record/run-record.ts';

/** The current scenario for each scenario of a stored run, by position: the given one, or that of its own file. */
export async function scenariosForReeval(options: ReevalSource): Promise<Map<number, LoadedScenario>> {
  const found = await scenariosByPosition(options);
  const { source } = options;
  if (!source.options.faults) return found;
  const { withFaultsOfRun } = await import('../record/faults-of-run.ts');
  return new Map([...found].map(([index, loaded]) => [index, withFaultsOfRun(loaded, source, index)]));
}

interface ReevalSource {
  source: RunRecord;
  /** Only this position, if a single trace is judged again. */
  only: number | undefined;
  given: LoadedScenario | null;
  load: (scenario: { file: string; name: string }) => Promise<LoadedScenario>;
}

async function scenariosByPosition(options: ReevalSource): Promise<Map<number, LoadedScenario>> {
  const { source, only, given, load } = options;
  if (source.options.imported) return ofImported(options);
  const wasRun = (index: number) => source.scenarios[index]?.summary?.verdict !== 'SKIPPED';
  const positions = source.scenarios
    .map((_, index) => index)
    .filter((index) => wasRun(index) && (only === undefined || index === only));
  if (!given) {
    const loaded = source.scenarios.entries().filter(([index]) => positions.includes(index));
    return new Map(
      await Promise.all(
        loaded.map(
          async ([index, then]): Promise<[number, LoadedScenario]> => [
            index,
            await load({ ...then, name: then.scenario.variant?.of ?? then.name }),
          ],
        ),
      ),
    );
  }
  const [single, ...others] = positions;
  if (single !== undefined && others.length === 0) return new Map([[single, given]]);
  const same = positions.filter((index) => {
    const then = source.scenarios[index];
    const name = then?.scenario.variant?.of ?? then?.name;
    return name === given.scenario.name || then?.file === given.relativeFile;
  });
  if (same.length === 0) {
    const names = source.scenarios.map(({ name }) => name).join(', ');
    throw new SalvoError(
      'SCENARIO_UNKNOWN',
      `Run ${source.run_id} has no scenario named "${given.scenario.name}". It has: ${names}. Give the file the same name, or say which one it replaces: salvo reeval ${source.run_id}/NAME --scenario FILE.`,
    );
  }
  return new Map(same.map((index) => [index, given]));
}

/** Imported conversations are judged by the given scenario, and by the outcomes of their files without one. */
function ofImported({ source, only, given }: Parameters<typeof scenariosForReeval>[0]): Map<number, LoadedScenario> {
  const positions = source.scenarios.entries().filter(([index]) => only === undefined || index === only);
  return new Map(positions.map(([index, then]) => [index, given ? withRows(given, then) : recorded(then)]));
}

/** The cases of the conversations, unless the file has rows of its own. */
function withRows(given: LoadedScenario, { name, scenario: then }: RunRecord['scenarios'][number]): LoadedScenario {
  if (given.scenario.data !== undefined) return given;
  const { data, trials } = then;
  return { ...given, scenario: { ...given.scenario, name, data, trials } };
}

function recorded({ scenario, file, scenario_hash: hash }: RunRecord['scenarios'][number]): LoadedScenario {
  return { scenario, file, relativeFile: file, hash, warnings: [] };
}
