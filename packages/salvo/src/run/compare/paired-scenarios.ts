import type { BaselineScenario } from './baseline.ts';
import type { ScenarioPair } from './compared-cases.ts';

/**
 * The scenarios that two runs have in common: those of the same file and name. If a run has one of them with several
 * models, each is paired with the same model, and one that is left over on both sides with the other. A scenario whose
 * file was moved is found by its name, if only one has it.
 */
export function pairedScenarios(base: readonly BaselineScenario[], next: readonly BaselineScenario[]) {
  const left = { base: new Set(base), next: new Set(next) };
  const pairs: ScenarioPair[] = [];
  const pairBy = (keyOf: (scenario: BaselineScenario) => string) => {
    const [ofBase, ofNext] = [onlyOnes(left.base, keyOf), onlyOnes(left.next, keyOf)];
    for (const [key, scenario] of ofNext) {
      const partner = ofBase.get(key);
      if (!partner) continue;
      pairs.push({ base: partner, next: scenario });
      left.base.delete(partner);
      left.next.delete(scenario);
    }
  };
  pairBy(({ file, name, adapter, model }) => [file, name, adapter, model].join('\0'));
  pairBy(({ file, name, model }) => [file, name, model].join('\0'));
  pairBy(({ file, name }) => [file, name].join('\0'));
  pairBy(({ name, model }) => [name, model].join('\0'));
  pairBy(({ name }) => name);
  return { pairs, onlyBase: [...left.base], onlyNext: [...left.next] };
}

/** The scenarios whose key no other has. */
function onlyOnes(
  scenarios: Iterable<BaselineScenario>,
  keyOf: (scenario: BaselineScenario) => string,
): Map<string, BaselineScenario> {
  const counted = Map.groupBy(scenarios, keyOf);
  return new Map([...counted].flatMap(([key, [one, other]]) => (one && !other ? [[key, one]] : [])));
}
