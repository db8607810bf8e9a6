/** What to call each scenario of a run in a command: its name, or its file where several have the same name. */
export function scenarioHandles(scenarios: readonly { name: string; file: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of scenarios) counts.set(name, (counts.get(name) ?? 0) + 1);
  return scenarios.map(({ name, file }) => (counts.get(name) === 1 || file === '' ? name : file));
}
