import { createAdaptorServer } from '@hono/node-server';
import type { ViewedProject } from '../app/view/viewed-project.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { givenToken, newToken } from './access.ts';
import { viewerApp } from './viewer-app.ts';

export interface ViewerOptions {
  /** 127.0.0.1 if not given: nobody else can connect. */
  host?: string | undefined;
  /** Any free one if not given. */
  port?: number | undefined;
  allowedHosts?: readonly string[] | undefined;
  /** The folder of the built pages, if it is not the one of the package. */
  pages?: URL | undefined;
  /** Where a token may be given. */
  env?: Record<string, string | undefined> | undefined;
}

export interface RunningViewer extends AsyncDisposable {
  /** With the token, unless that was given: who has it, has access. */
  url: string;
  /** Without the token. */
  origin: string;
  /** Whether the token comes from the environment, so that it is not in `url`. */
  isTokenGiven: boolean;
}

/** Listens until it is disposed of. */
export async function startViewer(viewed: ViewedProject, options: ViewerOptions = {}): Promise<RunningViewer> {
  const { host = '127.0.0.1', port = 0, allowedHosts = [], pages, env = {} } = options;
  const given = givenToken(env);
  const token = given ?? newToken();
  const app = viewerApp(viewed, { token, allowedHosts: [host, ...allowedHosts], pages });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, { host, port })));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;
  const origin = `http://${shownHost(host)}:${listening}`;
  return {
    origin,
    isTokenGiven: given !== null,
    // A token that was given is a secret, and this is printed.
    url: given === null ? `${origin}/?token=${token}` : `${origin}/`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** An address that a browser on this machine can open. */
function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): SalvoError {
  const why =
    error.code === 'EADDRINUSE'
      ? `Port ${port} is in use. Choose another one with --port, or leave it out.`
      : `${host} is not an address that this machine can listen on (${error.code}).`;
  return new SalvoError('CANNOT_LISTEN', why);
}
