import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Assertion } from '../../scenario/schema/assertion-schema.ts';
import { type CommandAssertion, commandKey, commandWords } from '../../scenario/workspace/command-key.ts';
import { errorCode } from '../../text/errors/salvo-error.ts';
import { refuseUnpermitted } from '../../text/modules/permitted-code.ts';
import { quoteOutput } from '../../text/output/quote-output.ts';
import type { CommandRecord } from '../../trace/workspace-record.ts';
import { grantedVariables } from '../granted-variables.ts';
import { WatchedProgram } from '../watched-program.ts';

interface CommandPlace {
  /** The workspace. */
  root: string;
  /** The folder that it was copied from, under which commands are permitted. */
  permitted: string;
  env: Record<string, string | undefined>;
  variables: Record<string, string>;
  signal: AbortSignal;
}

/** What a command prints is cut to this. */
const SHOWN_CHARACTERS = 4000;

/** Runs the commands of assertions one after the other, each once. */
export async function runCommands(assertions: readonly Assertion[], place: CommandPlace): Promise<CommandRecord[]> {
  const records = new Map<string, CommandRecord>();
  for (const assertion of assertions) {
    if (!isCommand(assertion)) continue;
    const key = commandKey(assertion);
    if (!records.has(key)) records.set(key, { key, ...(await runCommand(assertion, place)) });
    place.signal.throwIfAborted();
  }
  return [...records.values()];
}

function isCommand(assertion: Assertion): assertion is CommandAssertion {
  return assertion.type === 'command_succeeds';
}

async function runCommand(assertion: CommandAssertion, place: CommandPlace): Promise<Omit<CommandRecord, 'key'>> {
  const words = commandWords(assertion.command);
  const { cwd: inWorkspace = '.', env: granted = [], timeout_seconds: seconds } = assertion;
  refuseUnpermitted({ command: words, cwd: join(place.permitted, inWorkspace), env: granted });
  const command = words.join(' ');
  const cwd = join(place.root, inWorkspace);
  const started = performance.now();
  const record = (rest: Pick<CommandRecord, 'exit_code' | 'problem' | 'output'>) => ({
    command,
    seconds: Math.round(performance.now() - started) / 1000,
    ...rest,
  });
  if (!existsSync(cwd)) return record({ exit_code: null, problem: 'gone', output: '' });
  const program = new WatchedProgram({
    command: words,
    cwd,
    env: { ...grantedVariables(place.env, granted), ...place.variables },
  });
  const limit = AbortSignal.timeout(seconds * 1000);
  await program.until(() => false, AbortSignal.any([limit, place.signal])).catch(() => {});
  const { end } = program;
  await program.stop();
  const output = quoteOutput(program.output, { keep: 'end', length: SHOWN_CHARACTERS });
  if (!end) return record({ exit_code: null, problem: 'timeout', output });
  if (end.error) return record({ exit_code: null, problem: startProblem(words[0] ?? '', end.error), output });
  return record({ exit_code: end.exitCode, ...(end.signal && { problem: 'signal' }), output });
}

/** A program in the workspace that is not there any more is the agent's doing; one of this machine is not. */
function startProblem(program: string, error: Error): CommandRecord['problem'] {
  switch (errorCode(error)) {
    case 'ENOENT':
      return /[/\\]/.test(program) ? 'gone' : 'not_found';
    case 'EACCES':
      return 'not_executable';
    default:
      return 'not_started';
  }
}
