import type { AssertionOf } from '../../../scenario/schema/assertion-schema.ts';
import { commandKey } from '../../../scenario/workspace/command-key.ts';
import type { CommandRecord } from '../../../trace/trace.ts';
import type { Evaluator } from '../../evaluator.ts';

/** Only a new trial can run it: the workspace of this one is gone. */
const NOT_RUN = { command_not_run: true };

/** Passes if the command ended with 0 when it was run after the trial. Nothing is run here. */
export const evaluateCommandSucceeds: Evaluator<AssertionOf<'command_succeeds'>> = (assertion, { workspace }) => {
  if (!workspace) return { score: null, details: 'the trace has no workspace' };
  const key = commandKey(assertion);
  const record = workspace.commands?.find((each) => each.key === key);
  if (!record) {
    const why =
      workspace.problem ?? 'the command was not run after this trial, and its workspace is gone. Run it again';
    return { score: null, details: why, metadata: NOT_RUN };
  }
  const { command, exit_code, problem, output } = record;
  const printed = output === '' ? ' It printed nothing.' : `\n${output}`;
  if (problem === 'not_found' || problem === 'not_started') {
    const what =
      problem === 'not_found'
        ? 'was not found on this machine: install it, or correct the command, and run again'
        : 'could not be started';
    return { score: null, details: `${command} ${what}${output === '' ? '' : `: ${output}`}`, metadata: NOT_RUN };
  }
  if (problem) return { score: 0, details: `${command} ${problemText(problem, assertion)}.${printed}` };
  if (exit_code === 0) return { score: 1, details: `${command} ended with exit code 0` };
  return { score: 0, details: `${command} ended with exit code ${exit_code}.${printed}` };
};

function problemText(
  problem: Exclude<NonNullable<CommandRecord['problem']>, 'not_found' | 'not_started'>,
  { timeout_seconds: seconds }: Pick<AssertionOf<'command_succeeds'>, 'timeout_seconds'>,
): string {
  switch (problem) {
    case 'timeout':
      return `had not ended after ${seconds} s (timeout_seconds)`;
    case 'signal':
      return 'was ended by a signal';
    case 'gone':
      return 'could not be started: its program or its folder is not in the workspace';
    case 'not_executable':
      return 'could not be started: its program may not be executed';
  }
}
