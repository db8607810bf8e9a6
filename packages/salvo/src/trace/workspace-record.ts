import { z } from 'zod';
import { foreignName, projectName, textFree } from '../secrets/text-marks.ts';

/** What became of the workspace of a trial. */
export function workspaceRecordSchema() {
  return z.object({
    /** Files that the agent added, changed or deleted, and those that an assertion reads. */
    files: z.array(fileRecordSchema()),
    /** How many more files were changed than are listed. */
    not_listed: z.int().positive().optional(),
    /** Why the files after the trial are not known. */
    problem: z.string().optional(),
    /** What the commands of assertions did, by a hash of the command. */
    commands: z.array(commandRecordSchema()).optional(),
    /** Where the workspace is, if it was kept. */
    kept: projectName(z.string()).optional(),
  });
}

function fileRecordSchema() {
  return z.object({
    /** From the root of the workspace, with forward slashes. */
    path: foreignName(z.string()),
    /** unchanged and missing: only listed because an assertion reads the file. */
    change: z.enum(['added', 'changed', 'deleted', 'unchanged', 'missing']),
    /** After the trial. */
    bytes: z.number().nonnegative().optional(),
    sha256: textFree(z.string()).optional(),
    /** Where a symbolic link leads. It is not followed. */
    link: z.string().optional(),
    content: z.string().optional(),
    /** Why a file after the trial has no content here. */
    without_content: z.enum(['binary', 'too_large', 'unreadable', 'too_many']).optional(),
    /** The changed lines with those around them; of a changed text only. */
    diff: z.string().optional(),
  });
}

function commandRecordSchema() {
  return z.object({
    key: textFree(z.string()),
    command: z.string(),
    exit_code: z.int().nullable(),
    /** Why there is no exit code. gone: the program, or the folder in which it runs, is not in the workspace. */
    problem: z.enum(['timeout', 'signal', 'gone', 'not_executable', 'not_found', 'not_started']).optional(),
    seconds: z.number().nonnegative(),
    /** The end of what it printed. */
    output: z.string(),
  });
}

/** What a service printed last. */
export function serviceRecordsSchema() {
  return z.array(z.object({ name: projectName(z.string()), output: z.string() }));
}

export type WorkspaceRecord = z.infer<ReturnType<typeof workspaceRecordSchema>>;
export type FileRecord = z.infer<ReturnType<typeof fileRecordSchema>>;
export type CommandRecord = z.infer<ReturnType<typeof commandRecordSchema>>;
