import { firstText } from '../../scenario/cases/case-fields.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { safeLine } from '../../text/output/safe-text.ts';
import { some } from '../../text/words/value-words.ts';

/**
 * The case that a target names as `salvo replay` takes it: `SCENARIO/CASE`, with a run before it or the number of a trial
 * after it. A case is called by its name, by the number of its row, or by the beginning of its first text. Empty if no
 * scenario is named; throws if it has no such case.
 */
export function casesNamed(
  target: string,
  scenariosNamed: (name: string) => LoadedScenario[],
): { loaded: LoadedScenario; only: Set<number> }[] {
  const parts = target.split('/');
  // A run may come first. Names may have slashes in them, so the longest name is tried first.
  for (const first of [0, 1]) {
    for (let end = parts.length - 1; end > first; end -= 1) {
      const scenarios = scenariosNamed(parts.slice(first, end).join('/'));
      if (scenarios.length === 0) continue;
      const wanted = parts.slice(end);
      const trial = /^[1-9]\d{0,6}$/.test(wanted.at(-1) ?? '') ? wanted.slice(0, -1) : [];
      const found = scenarios.flatMap((loaded) => {
        const index =
          caseIndex(loaded, wanted.join('/')) ?? (trial.length > 0 ? caseIndex(loaded, trial.join('/')) : null);
        return index === null ? [] : [{ loaded, only: new Set([index]) }];
      });
      if (found.length > 0) return found;
      throw unknownCase(scenarios, wanted.join('/'));
    }
  }
  return [];
}

/** Throws if the beginning of a text is that of several. */
function caseIndex({ scenario }: LoadedScenario, wanted: string): number | null {
  if (scenario.data === undefined) return null;
  const cases = scenarioCases(scenario);
  const exact = cases.indexOf(wanted);
  if (exact !== -1) return exact;
  const text = wanted.replace(/…$/, '').toLowerCase();
  const isNamed = (index: number) => cases.fieldsOf(index)?.name !== String(index + 1);
  const begin = scenario.data.flatMap((row, index) => {
    const own = isNamed(index) ? cases.fieldsOf(index)?.name : firstText(row);
    return own?.toLowerCase().startsWith(text) ? [index] : [];
  });
  const [index, ...others] = begin;
  if (others.length === 0) return index ?? null;
  const same = begin.filter((each) => firstText(scenario.data?.[each] ?? {})?.toLowerCase() === text);
  if (same.length === 1) return same[0] ?? null;
  const names = some(begin.map((each) => cases.fieldsOf(each)?.name ?? ''));
  throw new SalvoError(
    'SCENARIO_AMBIGUOUS',
    `${begin.length} cases of ${scenario.name} begin with ${JSON.stringify(wanted)}: ${names}. Give more of it, or the number.`,
  );
}

function unknownCase(scenarios: readonly LoadedScenario[], wanted: string): SalvoError {
  const [first] = scenarios;
  const { name = '', data } = first?.scenario ?? {};
  if (!data) {
    return new SalvoError(
      'SCENARIOS_MISSING',
      `${name} has no data, so it has no case ${JSON.stringify(wanted)}. Run ${JSON.stringify(name)}.`,
    );
  }
  const cases = first && scenarioCases(first.scenario);
  const names = data.slice(0, 20).map((row, index) => {
    const own = cases?.fieldsOf(index)?.name ?? '';
    const text = own === String(index + 1) ? firstText(row) : null;
    return text === null ? own : `${own} (${safeLine(text, 24)})`;
  });
  return new SalvoError('SCENARIOS_MISSING', `${name} has no case ${JSON.stringify(wanted)}. It has ${some(names)}.`);
}
