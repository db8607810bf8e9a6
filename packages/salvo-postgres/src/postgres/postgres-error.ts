import { type ErrorCode, errorCode, errorMessage, SalvoError } from 'salvo/kit/text';

/** Where a database is, for messages: without user, password and options. */
export interface DatabasePlace {
  /** `host:port/name` */
  place: string;
  database: string;
  user: string;
}

const LOST_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // The server stops, crashed, or is starting.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  // This process was paused in the middle of a transaction.
  '25P03',
  // Too many connections at the moment.
  '53300',
]);
/** `pg` gives these errors no code. */
const LOST_WORDS = /^(connection terminated|client has encountered a connection error|timeout exceeded when trying)/i;

/** Whether the connection was lost, or none could be made for now. What a lost transaction did is undone. */
export function isConnectionLost(error: unknown): boolean {
  const code = errorCode(error);
  if (code === undefined) return LOST_WORDS.test(errorMessage(error));
  // PgBouncer gives all its errors the code 08P01: no server behind it, no free connection, a wait that took too long.
  return LOST_CODES.has(code) || code.startsWith('08');
}

/** Whether two transactions got in each other's way, so that one of them has to be repeated. */
export function isConflict(error: unknown): boolean {
  const code = errorCode(error);
  return code === '40001' || code === '40P01';
}

/** Whether the connection lacks the plan of a named statement that was sent before, or has one unexpectedly. */
export function isPlanLost(error: unknown): boolean {
  const code = errorCode(error);
  return code === '26000' || code === '42P05';
}

/** What went wrong, for the user. An error that says nothing to a user is returned as it is. */
export function postgresError({ place, database, user }: DatabasePlace, error: unknown): unknown {
  if (error instanceof SalvoError) return error;
  const said = errorMessage(error);
  const code = errorCode(error) ?? '';
  const failed = (name: ErrorCode, message: string, outcome: 'wrong_input' | 'unscored' = 'wrong_input') =>
    new SalvoError(name, message, { cause: error, outcome });
  if (code === '28000' && /no encryption|SSL off/i.test(said)) {
    return failed(
      'DATABASE_TLS_FAILED',
      `The database ${place} accepts only encrypted connections: add ?sslmode=verify-full to its address.`,
    );
  }
  if (code === '28P01' || code === '28000' || /password/i.test(said)) {
    return failed(
      'DATABASE_LOGIN_REFUSED',
      `The database ${place} refuses user ${user}: ${said}. Check user and password in SALVO_DATABASE_URL or database_url.`,
    );
  }
  if (code === '3D000') {
    return failed(
      'DATABASE_UNKNOWN',
      `There is no database "${database}" at ${place}. Create it (createdb ${database}), or correct SALVO_DATABASE_URL or database_url.`,
    );
  }
  if (code === 'ENOTFOUND') {
    return failed('DATABASE_UNREACHABLE', `The host of the database ${place} is unknown: ${said}.`);
  }
  if (code === '42501' || code === '25006') {
    return failed('DATABASE_RIGHTS_MISSING', `User ${user} lacks a right on the database ${place}: ${said}.`);
  }
  if (code === '53100' || code === '53200') {
    return failed('DATABASE_FULL', `The database ${place} could not store any more: ${said}.`, 'unscored');
  }
  if (code === '53300') {
    return failed(
      'DATABASE_BUSY',
      `The database ${place} has no free connection: ${said}. Each process of Salvo needs up to 11: start fewer workers, each with more trials at once (\`salvo worker --concurrency 20\`), or raise max_connections of the server.`,
      'unscored',
    );
  }
  if (isConnectionLost(error)) {
    return failed('DATABASE_UNREACHABLE', `The database ${place} can't be reached: ${said || code}.`, 'unscored');
  }
  if (/ssl|certificate|self.signed|^(ERR_TLS|CERT|UNABLE_TO|DEPTH_ZERO)/i.test(`${code} ${said}`)) {
    return failed(
      'DATABASE_TLS_FAILED',
      `No encrypted connection to the database ${place}: ${said}. ${tlsAdvice(code, said)}`,
    );
  }
  return error;
}

function tlsAdvice(code: string, said: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'Use a host name that its certificate has, or check with sslmode=verify-ca the authority alone.';
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return 'The server needs a new certificate, or the clock of this machine is wrong.';
  if (/does not support SSL/i.test(said))
    return 'Switch encryption on there (ssl = on). If everyone on the network between may read and change what is sent, add ?sslmode=disable to the address.';
  return 'If its authority is your own, name its certificate: add ?sslrootcert=FILE to the address, or set PGSSLROOTCERT. ?sslmode=no-verify encrypts without knowing to whom.';
}
