import { dirname, join, resolve } from 'node:path';
import { everyAssertion } from '../../scenario/cases/case-fields.ts';
import { scenarioCases } from '../../scenario/cases/scenario-cases.ts';
import type { LoadedScenario } from '../../scenario/load-scenario.ts';
import type { Assertion, AssertionOf } from '../../scenario/schema/assertion-schema.ts';
import type { Scenario } from '../../scenario/schema/scenario-schema.ts';
import { inlineCodeOf } from '../../scenario/schema/text-assertions.ts';
import { workspaceOf } from '../../scenario/schema/workspace-schema.ts';
import { commandWords } from '../../scenario/workspace/command-key.ts';
import { readSourceTree } from '../../scenario/workspace/source-tree.ts';
import { inlineCommand } from '../../text/modules/inline-code.ts';
import type { Command } from '../../text/modules/permitted-code.ts';

interface NeededEnvironment {
  /** The files of workspaces. Absolute. */
  files: Set<string>;
  /** Of services, MCP servers and assertions, in the folders under which they are permitted. */
  commands: Command[];
}

/** What the workspaces, services, MCP servers and commands of these cases need of the project. */
export function environmentOfCases(
  entries: readonly { loaded: LoadedScenario; cases: number[] | null }[],
): NeededEnvironment {
  const needed: NeededEnvironment = { files: new Set(), commands: [] };
  for (const { loaded, cases } of entries) {
    const { workspace, services, tools } = loaded.scenario;
    // Code has no templates.
    for (const code of new Set(everyAssertion(loaded.scenario).flatMap(inlineCodeOf))) {
      needed.commands.push(inlineCommand(code, dirname(loaded.file)));
    }
    if (workspace === undefined && services === undefined && !tools.some(({ mcp }) => mcp)) continue;
    const all = scenarioCases(loaded.scenario);
    for (const index of cases ?? Array.from({ length: all.count }).keys())
      addNeeds(needed, loaded, all.scenarioOf(index));
  }
  return needed;
}

function addNeeds({ files, commands }: NeededEnvironment, { file }: LoadedScenario, scenario: Scenario): void {
  const { folder, ...options } = workspaceOf(scenario) ?? {};
  const source =
    folder === undefined ? dirname(file) : resolve(dirname(file), scenario.folders?.[folder]?.path ?? folder);
  const tree = folder === undefined ? null : readSourceTree({ root: source, ...options });
  if (tree && !('code' in tree)) for (const path of tree.files.keys()) files.add(join(source, path));
  for (const { command, run_in, cwd = '.', env = [] } of scenario.services ?? []) {
    commands.push({ command: commandWords(command), cwd: resolve(run_in ? source : dirname(file), cwd), env });
  }
  for (const { command, cwd = '.', env = [] } of scenario.tools.flatMap(({ mcp }) => mcp ?? [])) {
    if (command === undefined) continue;
    commands.push({ command: commandWords(command), cwd: resolve(dirname(file), cwd), env });
  }
  for (const { command, cwd = '.', env = [] } of scenario.assertions.filter(isCommand)) {
    commands.push({ command: commandWords(command), cwd: resolve(source, cwd), env });
  }
}

function isCommand(assertion: Assertion): assertion is AssertionOf<'command_succeeds'> {
  return assertion.type === 'command_succeeds';
}
