import { shellWord } from '../../text/shell-word.ts';

/** The command that shows the conversation of a trial. Without a run it means the latest. */
export function replayCommand({ run, scenario, trial }: { run?: string; scenario: string; trial: number }): string {
  // Alone, `-x` would be read as an option, and `latest` as the run.
  const needsRun = run !== undefined || /^(?:-|latest(?:\/|$))/.test(scenario);
  return needsRun
    ? `salvo replay ${shellWord(`${run ?? 'latest'}/${scenario}/${trial}`)}`
    : `salvo replay ${shellWord(scenario)} ${trial}`;
}

/** What to call each scenario of a run in a command: its name, or its file where several have the same name. */
export function scenarioHandles(scenarios: readonly { name: string; file: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of scenarios) counts.set(name, (counts.get(name) ?? 0) + 1);
  return scenarios.map(({ name, file }) => (counts.get(name) === 1 || file === '' ? name : file));
}
