import { isRecord } from '../../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { toolOutput } from '../../../trace/forms/tool-output.ts';
import type { MessageFile } from '../../../trace/message.ts';

interface CodexOutput {
  content: string;
  files?: MessageFile[];
  is_error: boolean;
}

/** What a tool of Codex gave. Versions differ in how they say the exit code of a command. */
export function codexOutput(output: unknown): CodexOutput {
  if (isRecord(output) && typeof output.success === 'boolean') {
    return { ...toolOutput(output.content ?? output.body), is_error: !output.success };
  }
  const given = toolOutput(output);
  return { ...given, is_error: isFailure(given.content) };
}

/** The exit code is before the output of the command. */
const LONGEST_HEAD = 400;
const EXIT_CODE = /^(?:Exit code:|Process exited with code) (-?\d{1,10})$/m;
const NOT_EXECUTED = /^(?:execution error|failed in sandbox|exec_command failed|err: |apply_patch verification failed)/;

function isFailure(text: string): boolean {
  if (text.startsWith('{')) {
    const value = jsonOrUndefined(text);
    const metadata = isRecord(value) && isRecord(value.metadata) ? value.metadata : {};
    return typeof metadata.exit_code === 'number' && metadata.exit_code !== 0;
  }
  const whole = text.slice(0, LONGEST_HEAD);
  const end = whole.indexOf('\nOutput:');
  const code = EXIT_CODE.exec(end === -1 ? whole : whole.slice(0, end))?.[1];
  return code === undefined ? NOT_EXECUTED.test(text) : Number(code) !== 0;
}
