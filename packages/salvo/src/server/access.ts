import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { SalvoError } from '../text/errors/salvo-error.ts';

export interface AccessOptions {
  /** The secret in the address that `salvo view` prints, or what a proxy sends as a bearer token. */
  token: string;
  /** Names by which the server may be called, apart from localhost and IP addresses. */
  allowedHosts: readonly string[];
}

const TOKEN_BYTES = 24;

export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

const SHORTEST_TOKEN = 16;

/** The token of the environment, so that a proxy can know it; null if there is none. */
export function givenToken(env: Record<string, string | undefined>): string | null {
  const token = env.SALVO_VIEW_TOKEN ?? '';
  if (token === '') return null;
  if (token.length >= SHORTEST_TOKEN && /^[\w.~+/=-]+$/.test(token)) return token;
  throw new SalvoError(
    'VIEW_TOKEN_INVALID',
    `SALVO_VIEW_TOKEN must have at least ${SHORTEST_TOKEN} characters, and only letters, digits and - . _ ~ + / =. \`openssl rand -hex 24\` makes one.`,
  );
}

/**
 * Lets a request through if it names this server as its host, does not come from another site, and has the token. The
 * token is taken from the address once, and from a cookie afterwards, so that it stays out of the history and of links.
 * A proxy that knows who is asking sends it as a bearer token.
 */
export function guardAccess({ token, allowedHosts }: AccessOptions): MiddlewareHandler {
  const hosts = new Set(['localhost', ...allowedHosts.map((host) => host.toLowerCase())]);
  // Cookies are shared by all ports of a host, and several viewers may run.
  const cookie = `salvo_${createHash('sha256').update(token).digest('hex').slice(0, 12)}`;
  return async (context, next) => {
    const { req } = context;
    const host = req.header('host') ?? '';
    if (!isKnownHost(host, hosts)) return context.text(WRONG_HOST, 403);
    if (!isFromHere(context.req, host)) return context.text('This request comes from another site.', 403);
    const given = new URL(req.url).searchParams.get('token');
    if (given !== null && req.method === 'GET' && req.path === '/') {
      if (!isSame(given, token)) return context.text(NO_TOKEN, 401);
      setCookie(context, cookie, token, { httpOnly: true, sameSite: 'Lax', path: '/' });
      return context.redirect('/', 302);
    }
    const shown = getCookie(context, cookie) ?? req.header('authorization')?.replace(/^bearer /i, '') ?? '';
    if (!isSame(shown, token)) return context.text(NO_TOKEN, 401);
    return await next();
  };
}

const WRONG_HOST =
  'This server does not answer to that name. Use its IP address, or start it with `salvo view --allowed-host NAME`.\n';
const NO_TOKEN = 'Open the address that `salvo view` has printed: it contains a token.\n';

/** A page of another site can only reach this server by a name that it controls. An IP address is no such name. */
function isKnownHost(header: string, hosts: ReadonlySet<string>): boolean {
  const name = hostName(header);
  return name !== null && (isIP(name) !== 0 || hosts.has(name));
}

function hostName(header: string): string | null {
  if (!URL.canParse(`http://${header}`)) return null;
  const { hostname, username, password, pathname, search, hash } = new URL(`http://${header}`);
  if (username !== '' || password !== '' || pathname !== '/' || search !== '' || hash !== '') return null;
  return hostname.replace(/^\[|\]$/g, '').toLowerCase();
}

function isFromHere(
  request: { method: string; path: string; header: (name: string) => string | undefined },
  host: string,
): boolean {
  const origin = request.header('origin');
  if (origin !== undefined) return origin === `http://${host}` || origin === `https://${host}`;
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const site = request.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return true;
  // A link on another site opens the page, which contains no result: its own requests get them. Everything else is for
  // the page only, so that another site cannot even make the server compute an answer.
  return request.path === '/' && request.header('sec-fetch-dest') === 'document';
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
