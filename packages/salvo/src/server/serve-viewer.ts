import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { getRequestListener } from '@hono/node-server';
import { spendingSentence } from '../app/view/resume-budget.ts';
import type { ViewedProject } from '../app/view/viewed-project.ts';
import type { ViewerDoor } from '../app/view/viewer-door.ts';
import { isThisMachine, type ViewerRight, viewerRights } from '../app/view/viewer-rights.ts';
import { openDoors } from '../extension/load-extension.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { givenToken, newToken } from './access.ts';
import { limitUnreadBody } from './read-body.ts';
import { viewerApp } from './viewer-app.ts';

export interface ViewerOptions {
  /** 127.0.0.1 if not given: nobody else can connect. */
  host?: string | undefined;
  /** Any free one if not given. */
  port?: number | undefined;
  allowedHosts?: readonly string[] | undefined;
  /** It allows nobody to change anything. The default if it can be reached from elsewhere. */
  readOnly?: boolean | undefined;
  /** Rights that are added. */
  allow?: readonly ViewerRight[] | undefined;
  /** The most that a run may spend that is resumed from the page; `budget_usd` of salvo.yaml if that is less. */
  maxBudgetUsd?: number | undefined;
  /** Called with every error that is a fault of the viewer. Without it, nobody is told why a request failed. */
  onFailure?: ((error: Error) => void) | undefined;
}

interface ServeOptions extends ViewerOptions {
  /** The folder of the built pages, if it is not the one of the package. */
  pages?: URL | undefined;
  /** What packages add, if it is not what the installed ones do. */
  doors?: readonly ViewerDoor[] | undefined;
  /** Where a token may be given. */
  env?: Record<string, string | undefined> | undefined;
}

export interface RunningViewer extends AsyncDisposable {
  /** With the token, unless that was given: who has it, has access. */
  url: string;
  /** Without the token. */
  origin: string;
  /** Like `url`, by the addresses under which other machines may reach it; empty if none can. */
  urlsElsewhere: string[];
  rights: ViewerRight[];
  /** What a resumed run may spend, in words. */
  spending: string;
  /** Whether the token comes from the environment, so that it is not in `url`. */
  isTokenGiven: boolean;
}

/** Listens until it is disposed of. */
export async function serveViewer(viewed: ViewedProject, options: ServeOptions = {}): Promise<RunningViewer> {
  const {
    host = '127.0.0.1',
    port = 0,
    allowedHosts = [],
    readOnly = false,
    allow = [],
    maxBudgetUsd,
    pages,
    doors = await openDoors('viewer'),
    onFailure,
    env = {},
  } = options;
  const given = givenToken(env);
  const token = given ?? newToken();
  const rights = viewerRights({ host, allowedHosts, readOnly, allow });
  const hosts = [host, ...allowedHosts];
  const limits = { maxBudgetUsd, isOpenToOthers: !hosts.every(isThisMachine) };
  const app = viewerApp(viewed, { token, rights, allowedHosts: hosts, ...limits, pages, doors, onFailure });
  const server = createServer(getRequestListener(app.fetch)).on('request', limitUnreadBody);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, { host, port })));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const listening = typeof address === 'object' && address !== null ? address.port : port;
  const originOf = (name: string) => `http://${name.includes(':') ? `[${name}]` : name}:${listening}`;
  // A token that was given is a secret, and this is printed.
  const urlOf = (name: string) => (given === null ? `${originOf(name)}/?token=${token}` : `${originOf(name)}/`);
  const here = isEverywhere(host) ? '127.0.0.1' : host;
  return {
    origin: originOf(here),
    url: urlOf(here),
    urlsElsewhere: addressesElsewhere(host).map(urlOf),
    rights,
    spending: spendingSentence({ ...limits, budgetUsd: viewed.project?.config.budget_usd }),
    isTokenGiven: given !== null,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** These stand for all addresses of the machine. No browser can open them. */
function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

function addressesElsewhere(host: string): string[] {
  if (!isEverywhere(host)) return isThisMachine(host) ? [] : [host];
  return (
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ family, internal }) => !internal && (family === 'IPv4' || host === '::'))
      .map(({ address }) => address)
      // A link-local address is only valid together with the name of an interface of the other machine.
      .filter((address) => !address.startsWith('fe80:'))
  );
}

function cannotListen(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): SalvoError {
  const why =
    error.code === 'EADDRINUSE'
      ? `Port ${port} is in use. Choose another one with {option:port}, or leave it out.`
      : `${host} is not an address that this machine can listen on (${error.code}).`;
  return new SalvoError('VIEWER_NOT_STARTED', why);
}
