import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import type pg from 'pg';
import { errorMessage, SalvoError } from 'salvo/kit/text';

/** Parameters of an address that are about encryption. `pg` would read some of them in another way, with a warning. */
const PARAMETERS = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl', 'sslnegotiation', 'uselibpqcompat'];
const MODES = ['disable', 'no-verify', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/**
 * How `pg` connects to an address. A server on another machine must prove who it is: by a certificate for the host of
 * the address, of an authority that this machine or `sslrootcert` trusts. Only `sslmode` says otherwise.
 */
export function connectionSettings(url: string): Pick<pg.ClientConfig, 'connectionString' | 'ssl'> {
  const address = new URL(url);
  const given = Object.fromEntries(PARAMETERS.map((name) => [name, address.searchParams.get(name)]));
  for (const name of PARAMETERS) address.searchParams.delete(name);
  const host = hostOf(address);
  return { connectionString: address.href, ssl: sslOf(modeOf(given.sslmode ?? null, host), host, given) };
}

/** As `pg` finds it. */
function hostOf({ hostname, searchParams }: URL): string {
  const written = searchParams.get('host') || decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1');
  return written || process.env.PGHOST || 'localhost';
}

function modeOf(given: string | null, host: string): Mode {
  if (given === null) return isLocal(host) ? 'disable' : 'verify-full';
  const mode = MODES.find((each) => each === given);
  if (mode) return mode;
  throw new SalvoError(
    'DATABASE_URL_INVALID',
    `The address of the database has an sslmode that Salvo does not know: use one of ${MODES.join(', ')}.`,
  );
}

/** Nothing leaves the machine. */
function isLocal(host: string): boolean {
  return (
    host === 'localhost' || host.startsWith('/') || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  );
}

function sslOf(mode: Mode, host: string, files: Record<string, string | null>): pg.ClientConfig['ssl'] {
  if (mode === 'disable') return false;
  const ca = readPem(files.sslrootcert === 'system' ? null : files.sslrootcert, 'sslrootcert');
  const [cert, key] = [readPem(files.sslcert, 'sslcert'), readPem(files.sslkey, 'sslkey')];
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    rejectUnauthorized: mode !== 'no-verify',
    // `pg` would compare the certificate of a server that is named by its IP address with `localhost`.
    checkServerIdentity: (_, certificate) =>
      mode === 'verify-ca' ? undefined : checkServerIdentity(host, certificate),
  };
}

function readPem(file: string | null | undefined, parameter: string): string | undefined {
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `${parameter} of the database can't be read: ${errorMessage(cause)}.`;
    throw new SalvoError('DATABASE_URL_INVALID', message, { cause });
  }
}
