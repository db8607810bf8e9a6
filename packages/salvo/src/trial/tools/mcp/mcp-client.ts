import type { z } from 'zod';
import { importOptionalPackage, isPackageInstalled } from '../../../adapters/call/optional-package.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';

/** What Salvo uses of a client, which both major versions have. */
export interface McpClient {
  connect(transport: unknown, options: RequestOptions): Promise<void>;
  request<T>(
    request: { method: string; params: Record<string, unknown> },
    schema: z.ZodType<T>,
    options: RequestOptions,
  ): Promise<T>;
  getServerCapabilities(): { tools?: unknown; resources?: unknown; prompts?: unknown } | undefined;
  close(): Promise<void>;
  onerror?: (error: Error) => void;
}

interface RequestOptions {
  signal: AbortSignal;
  timeout: number;
}

export interface HttpTransport {
  terminateSession(): Promise<void>;
}

interface ClientModule {
  Client: new (
    info: { name: string; version: string },
    options: { capabilities: object; versionNegotiation?: { mode: 'auto' } },
  ) => McpClient;
}

interface HttpModule {
  StreamableHTTPClientTransport: new (
    url: URL,
    options: { fetch: typeof fetch; requestInit: { headers: Record<string, string> } },
  ) => HttpTransport;
}

/** The client that the project has installed. */
export interface InstalledClient {
  /** Only version 2 can talk to servers that know nothing but the protocol of July 2026. */
  version: 1 | 2;
  ofClient(): Promise<ClientModule>;
  ofHttp(): Promise<HttpModule>;
}

const V2 = '@modelcontextprotocol/client';
const V1 = '@modelcontextprotocol/sdk';
const MODULES = {
  1: { package: V1, client: `${V1}/client/index.js`, http: `${V1}/client/streamableHttp.js` },
  2: { package: V2, client: V2, http: V2 },
};

/** Version 2 if the project has it, otherwise version 1. Throws with the command that installs it. */
export function installedClient(root: string): InstalledClient {
  const found = ([2, 1] as const).find((version) => isPackageInstalled(MODULES[version].client, root));
  if (found) return clientOfVersion(found, root);
  throw new SalvoError(
    'PACKAGE_MISSING',
    `Tools of an MCP server need the package ${V2}, which is not installed. Run: npm install --save-dev ${V2}`,
  );
}

/** @internal Exported for its tests. */
export function clientOfVersion(version: 1 | 2, root: string): InstalledClient {
  const { package: needed, client, http } = MODULES[version];
  const load = <T>(name: string) => importOptionalPackage<T>({ name, root, needed: [needed] });
  return { version, ofClient: () => load<ClientModule>(client), ofHttp: () => load<HttpModule>(http) };
}
