import { SalvoError } from 'salvo/kit/text';
import type { DatabasePlace } from './postgres-error.ts';

/** The parts of an address that may be shown. Throws for one that is no address of a PostgreSQL database. */
export function readPostgresUrl(url: string): DatabasePlace {
  const parsed = URL.parse(url);
  if (!parsed || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    // The text is not quoted: it may have a password in it.
    throw new SalvoError(
      'DATABASE_URL_INVALID',
      'The address of the database must be postgres://USER:PASSWORD@HOST:PORT/DATABASE. Characters such as @ and / in the password are written as %40 and %2F.',
    );
  }
  const user = decoded(parsed.username) || parsed.searchParams.get('user') || 'of this system';
  const database = decoded(parsed.pathname.slice(1)) || user;
  const host = parsed.hostname || parsed.searchParams.get('host') || 'localhost';
  return { place: `${host}:${parsed.port || '5432'}/${database}`, database, user };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
