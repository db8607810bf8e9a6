import { dirname, resolve } from 'node:path';
import { expandHeaders } from '../../../adapters/call/expand-headers.ts';
import { programEnvironment } from '../../../adapters/program/program-environment.ts';
import { compileTemplate, type DataRow } from '../../../scenario/cases/template.ts';
import { type McpFields, mcpSchema } from '../../../scenario/schema/tool-schema.ts';
import { grantedSecrets } from '../../../secrets/environment-secrets.ts';
import { createTextRedactor, type RedactText } from '../../../secrets/redact-text.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import type { LiveTools } from '../tools-place.ts';
import { installedClient } from './mcp-client.ts';
import type { McpServer } from './mcp-connection.ts';
import { commandWords, serverLabel } from './server-label.ts';

const DEFAULT_TIMEOUT_SECONDS = 60;

export interface ServerPlace extends Pick<LiveTools, 'root' | 'env'> {
  /** The scenario's. */
  file: string;
}

/** What a server needs of the trial that it is for. */
export interface ServerTrial {
  row: DataRow;
  /** Where its workspace and its services are. */
  variables?: Record<string, string> | undefined;
}

/** A server as a trial reaches it. Throws if the project has no client, or a header needs a variable that is not set. */
export function serverOf(written: McpFields, { file, root, env }: ServerPlace, trial: ServerTrial): McpServer {
  const template = compileTemplate(written);
  const mcp = template ? mcpSchema.parse(template.render(trial.row, () => true)) : written;
  const { variables = {} } = trial;
  const label = serverLabel(mcp);
  const shared = {
    label,
    timeoutSeconds: mcp.timeout_seconds ?? DEFAULT_TIMEOUT_SECONDS,
    client: installedClient(root),
  };
  if (mcp.url !== undefined) {
    const url = URL.parse(withVariables(mcp.url, variables));
    if (!url) throw new SalvoError('MCP_TOOLS_INVALID', `The address of the MCP server ${label} is not valid.`);
    const headers = expandHeaders(mcp.headers, env);
    return { ...shared, reached: { url, headers }, redact: withoutSecrets(Object.values(headers)) };
  }
  const granted = mcp.env ?? [];
  const words = commandWords(mcp);
  const cwd = resolve(dirname(file), mcp.cwd ?? '.');
  const reached = {
    command: words.map((word) => withVariables(word, variables)),
    cwd,
    env: { ...programEnvironment(env, granted), ...variables },
    // As it is written, which is the same in all trials.
    permitted: { command: words, cwd, env: granted },
  };
  return { ...shared, reached, redact: withoutSecrets(grantedSecrets(granted, env)) };
}

/** Replaces `${NAME}` by a variable of the trial. What is none of them stays. */
function withVariables(text: string, variables: Record<string, string>): string {
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  );
}

function withoutSecrets(secrets: readonly string[]): RedactText {
  return createTextRedactor({ customPatterns: [], secrets });
}
