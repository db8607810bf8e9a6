import type { SeededChoice } from '../../../templates/seeded-choice.ts';

/** Other names of environments, for tests and for tables by environment. */
export function otherEnvironment(standard: string, choice: SeededChoice): string {
  const names = ['production', 'prod', 'staging', 'live'].filter((name) => name !== standard);
  return choice.one(names) ?? 'staging';
}

/** A test of the environment's name. Whether it holds changes only the name that it is compared with. */
export function environmentTest(standard: string, choice: SeededChoice) {
  const isNegated = choice.between(0, 1) === 0;
  const another = otherEnvironment(standard, choice);
  return { isNegated, nameIf: (holds: boolean) => (holds === isNegated ? another : standard) };
}

/** A size for another environment; all other settings are the same in every environment. */
export function otherSize(name: string, code: string): string {
  const isSize = /(?:allocated_storage|volume_size|desired_(?:count|capacity|size)|max_size|timeout)$/i.test(
    name.replaceAll(/([a-z])([A-Z])/g, '$1_$2'),
  );
  const size = Number(code.replaceAll('"', ''));
  return isSize && Number.isInteger(size) && size >= 4 ? code.replace(String(size), String(size * 2)) : code;
}
