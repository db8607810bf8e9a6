import type { z } from 'zod';
import { createGuardedFetch } from '../../../adapters/call/guarded-fetch.ts';
import { errorsWithin, SalvoError } from '../../../text/errors/salvo-error.ts';
import { type Command, refuseUnpermitted } from '../../../text/modules/permitted-code.ts';
import { salvoVersion } from '../../../text/modules/salvo-version.ts';
import { quoteOutput } from '../../../text/output/quote-output.ts';
import type { HttpTransport, InstalledClient, McpClient } from './mcp-client.ts';
import { ServerProcess } from './server-process.ts';

/** A server as it is reached. */
export interface McpServer {
  /** As messages name it: its command, or its address without what could be a secret. */
  label: string;
  reached:
    | { command: readonly string[]; cwd: string; env: Record<string, string>; permitted: Command }
    | { url: URL; headers: Record<string, string> };
  /** For each request, and for its start. */
  timeoutSeconds: number;
  client: InstalledClient;
  /** Takes out the values of the variables that the server receives. */
  redact: (text: string) => string;
}

/** An error that the server answered with. An agent sees it as the error of its tool. */
export class McpAnswerError extends Error {}

/** The server knows only the protocol of July 2026, and the client asked for an earlier one. */
const UNSUPPORTED_VERSION = -32022;
/** Ending a session politely must not take longer. */
const END_MS = 2000;

/** A connection to a server: of one trial, or of the listing of its tools. */
export class McpConnection {
  readonly #server: McpServer;
  readonly #client: McpClient;
  readonly #transport: ServerProcess | HttpTransport;

  private constructor(server: McpServer, client: McpClient, transport: ServerProcess | HttpTransport) {
    this.#server = server;
    this.#client = client;
    this.#transport = transport;
  }

  /** Starts the program, or begins a session. Throws if that fails, with the last lines of the program. */
  static async open(server: McpServer, signal: AbortSignal): Promise<McpConnection> {
    const isProgram = 'command' in server.reached;
    try {
      return await McpConnection.#connect(server, { negotiates: !isProgram, signal });
    } catch (error) {
      // Not asked first: servers of older SDKs end when they are asked something before `initialize`.
      if (!isProgram || server.client.version === 1 || !isUnsupportedVersion(error)) throw error;
      return McpConnection.#connect(server, { negotiates: true, signal });
    }
  }

  static async #connect(
    server: McpServer,
    { negotiates, signal }: { negotiates: boolean; signal: AbortSignal },
  ): Promise<McpConnection> {
    const { Client } = await server.client.ofClient();
    const client = new Client(
      { name: 'salvo', version: salvoVersion() },
      { capabilities: {}, ...(negotiates && server.client.version === 2 && { versionNegotiation: { mode: 'auto' } }) },
    );
    // What cannot be read is reported by the request that it should have answered.
    client.onerror = () => {};
    const transport = await transportOf(server);
    const connection = new McpConnection(server, client, transport);
    try {
      await connection.#within('start', signal, (options) => client.connect(transport, options));
      return connection;
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  get capabilities(): NonNullable<ReturnType<McpClient['getServerCapabilities']>> {
    return this.#client.getServerCapabilities() ?? {};
  }

  /** `what` is what was asked for, in words. Throws `McpAnswerError` if the server answers with an error. */
  request<T>(
    { what, ...request }: { what: string; method: string; params: Record<string, unknown> },
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<T> {
    return this.#within(`answer ${what}`, signal, (options) => this.#client.request(request, schema, options));
  }

  async end(): Promise<void> {
    const wait = AbortSignal.timeout(END_MS);
    const isOver = new Promise<void>((resolve) => wait.addEventListener('abort', () => resolve(), { once: true }));
    if (this.#transport instanceof ServerProcess) {
      await this.#transport.close();
      await this.#client.close().catch(() => {});
      return;
    }
    const ended = this.#transport.terminateSession().catch(() => {});
    await Promise.race([ended, isOver]);
    await Promise.race([this.#client.close().catch(() => {}), isOver]);
  }

  async #within<T>(
    what: string,
    signal: AbortSignal,
    call: (options: { signal: AbortSignal; timeout: number }) => Promise<T>,
  ): Promise<T> {
    const { timeoutSeconds } = this.#server;
    const limit = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      // The limit of the client itself is only there so that its default is not used.
      return await call({ signal: AbortSignal.any([signal, limit]), timeout: timeoutSeconds * 1000 + 60_000 });
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failure(error, what, limit.aborted);
    }
  }

  #failure(error: unknown, what: string, isLate: boolean): Error {
    const { label, timeoutSeconds, redact } = this.#server;
    const [problem, lastLines] =
      this.#transport instanceof ServerProcess ? [this.#transport.problem, this.#transport.lastLines] : [null, ''];
    const lines = quoteOutput(redact(lastLines), { keep: 'end', length: 1000 });
    const wrote = lines === '' ? '' : `\nIts last lines:\n${lines}`;
    const fail = (code: 'MCP_SERVER_FAILED' | 'MCP_SERVER_TIMEOUT', message: string) =>
      new SalvoError(code, `The MCP server "${label}" ${redact(message)}.${wrote}`, { cause: error });
    if (problem !== null) {
      const wasStarted = this.#transport instanceof ServerProcess && this.#transport.pid !== null;
      return fail('MCP_SERVER_FAILED', wasStarted ? `${problem} before it could ${what}` : problem);
    }
    if (isLate)
      return fail('MCP_SERVER_TIMEOUT', `did not ${what} within ${timeoutSeconds} s (timeout_seconds of its entry)`);
    const reasons = new Set(errorsWithin(error).map(({ message }) => message.replace(/^MCP error -?\d+: /, '')));
    const reason = quoteOutput([...reasons].join(': '));
    if (isAnswer(error) && what.startsWith('answer')) return new McpAnswerError(redact(reason));
    return fail('MCP_SERVER_FAILED', `could not ${what}: ${reason}`);
  }
}

async function transportOf({ reached, label, client }: McpServer): Promise<ServerProcess | HttpTransport> {
  if ('command' in reached) {
    refuseUnpermitted(reached.permitted);
    return new ServerProcess(reached);
  }
  const { StreamableHTTPClientTransport } = await client.ofHttp();
  const fetch = createGuardedFetch({ callee: `The MCP server "${label}"`, setting: 'url' });
  return new StreamableHTTPClientTransport(reached.url, { fetch, requestInit: { headers: reached.headers } });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Version 1 of the client has the status of a failed HTTP request as the code of its error. */
function isAnswer(error: unknown): boolean {
  const code = codeOf(error);
  return typeof code === 'number' && (code < 100 || code > 599);
}

function isUnsupportedVersion(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === UNSUPPORTED_VERSION;
}
