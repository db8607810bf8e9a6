import { z } from 'zod';
import { laterSchema } from '../../secrets/text-marks.ts';
import { someText } from './shared-fields.ts';

const paths = () => z.array(someText).min(1).max(100);
const commandField = () => z.union([someText, z.array(z.string()).min(1)]);
const variablesField = () => z.array(z.string().regex(/^[A-Za-z_]\w*(?:=|$)/, 'write NAME, or NAME=value'));

/** How long a service may take until it is up, and a command until it has ended. */
const DEFAULT_READY_SECONDS = 30;
const DEFAULT_COMMAND_SECONDS = 120;

export const workspaceField = laterSchema(() => z.union([someText, workspaceSchema()]))
  .optional()
  .describe(
    'A folder of its own for each trial, copied from this one, which is relative to the file that names it. What the agent changes in it is part of the trace.',
  );

function workspaceSchema() {
  return z.strictObject({
    folder: someText.optional().describe('The folder that is copied. Default: the workspace is empty at first.'),
    exclude: paths()
      .optional()
      .describe('Paths in the folder that are neither copied nor compared, such as dist or "**/*.log".'),
    link: paths()
      .optional()
      .describe('Paths in the folder that are linked and not copied, such as node_modules. All trials share them.'),
  });
}

export const servicesField = laterSchema(() => z.array(serviceSchema()).min(1).max(20))
  .optional()
  .describe('Programs that are started for each trial, in this order, and ended with it.');

function serviceSchema() {
  return z.strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'a name has 1 to 64 letters, digits, _ or -, and begins with a letter')
      .describe('Agents, tools and hooks find its address under this name.'),
    command: commandField().describe(
      'A command line, or the program and its arguments as a list. Never run through a shell.',
    ),
    cwd: someText
      .optional()
      .describe('The folder in which it runs, relative to the file that names it. Default: the folder of that file.'),
    run_in: z.literal('workspace').optional().describe("workspace: it runs in the trial's workspace, and so does cwd."),
    env: variablesField()
      .optional()
      .describe('Variables that it receives besides PATH, HOME and the like: NAME to pass one on, or NAME=value.'),
    port_env: someText.default('PORT').describe('The variable that has the free port at which it must listen.'),
    url_env: someText
      .optional()
      .describe('The variable that has its address, for programs of the trial. Default: of "shop" it is SHOP_URL.'),
    ready: z
      .union([
        z.literal('tcp'),
        z.strictObject({ http: z.string().regex(/^\//, 'a path begins with /').describe('A path that answers.') }),
        z.strictObject({ line: someText.describe('A text that it prints when it is up.') }),
      ])
      .default('tcp')
      .describe(
        'When it is up: tcp when it accepts connections, {http: /health} when this path answers with 2xx or 3xx, {line: listening} when it prints this.',
      ),
    timeout_seconds: z
      .number()
      .positive()
      .max(3600)
      .default(DEFAULT_READY_SECONDS)
      .describe('How long it may take until it is up.'),
  });
}

/** The assertions on what became of the workspace, each by the fields that only it has. */
export const workspaceAssertions = {
  file_contains: () => ({
    path: filePath(),
    value: z
      .union([someText, z.array(someText).min(1)])
      .describe('A text that the file contains after the trial, or a list of texts, all of which it contains.'),
    case_sensitive: z.boolean().default(true).describe('Whether upper and lower case matter.'),
  }),
  file_not_contains: () => ({
    path: filePath(),
    value: z
      .union([someText, z.array(someText).min(1)])
      .describe(
        'A text that the file does not contain after the trial, or a list of texts, none of which it contains.',
      ),
    case_sensitive: z.boolean().default(true).describe('Whether upper and lower case matter.'),
  }),
  file_matches: () => ({
    path: filePath(),
    pattern: someText.describe('A regular expression (RE2 syntax) that matches somewhere in the file after the trial.'),
  }),
  file_not_matches: () => ({
    path: filePath(),
    pattern: someText.describe('A regular expression (RE2 syntax) that matches nowhere in the file after the trial.'),
  }),
  file_unchanged: () => ({
    paths: pathPatterns().describe(
      'Paths in the workspace that the agent neither adds, changes nor deletes: files, folders, or patterns such as "**/*.test.ts".',
    ),
    except: pathPatterns().optional().describe('Those of them that it may change.'),
  }),
  command_succeeds: () => ({
    command: commandField().describe(
      'Run in the workspace after the trial, never through a shell. It passes if the exit code is 0.',
    ),
    cwd: someText.optional().describe('The folder of the workspace in which it runs. Default: its root.'),
    env: variablesField()
      .optional()
      .describe('Variables that it receives besides PATH, HOME and the like: NAME to pass one on, or NAME=value.'),
    timeout_seconds: z
      .number()
      .positive()
      .max(3600)
      .default(DEFAULT_COMMAND_SECONDS)
      .describe('It fails if it takes longer.'),
  }),
};

const filePath = () => someText.describe('The path of a file in the workspace.');

const pathPatterns = () => z.union([someText, z.array(someText).min(1)]);

export type WrittenWorkspace = z.infer<ReturnType<typeof workspaceSchema>>;
export type Service = z.infer<ReturnType<typeof serviceSchema>>;

/** The variable with the address of a service that does not name one itself. */
export function urlVariable(service: string): string {
  return `${service.toUpperCase().replaceAll('-', '_')}_URL`;
}

/** A folder as it was when the scenario was loaded. */
export interface CopiedFolder {
  /** Of all its names and contents. */
  sha256: string;
  files: number;
  bytes: number;
  /** Relative to the scenario, if it is written in a file of another folder. */
  path?: string | undefined;
}

/** The workspace of a scenario; undefined if it has none. */
export function workspaceOf({ workspace }: { workspace?: string | WrittenWorkspace | undefined }) {
  return typeof workspace === 'string' ? { folder: workspace } : workspace;
}
