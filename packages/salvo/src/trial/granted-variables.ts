import { programEnvironment } from '../adapters/program/program-environment.ts';

/** The environment of a program of a scenario, whose `env` has names to pass on, and texts such as NAME=value. */
export function grantedVariables(
  env: Record<string, string | undefined>,
  granted: readonly string[],
): Record<string, string> {
  const isSet = (entry: string) => entry.includes('=');
  const set = granted.filter(isSet).map((entry) => {
    const at = entry.indexOf('=');
    return [entry.slice(0, at), entry.slice(at + 1)];
  });
  return {
    ...programEnvironment(
      env,
      granted.filter((entry) => !isSet(entry)),
    ),
    ...Object.fromEntries(set),
  };
}
