import type { OperatorSpec, SECRET_KINDS } from './operator-spec.ts';

type SecretKind = (typeof SECRET_KINDS)[number];

/** A credential that an operator writes into the code. */
export interface PlantedSecret {
  kind: SecretKind;
  /** What the operator's edit has in its place. In a game, a credential that is drawn replaces it. */
  example: string;
}

/** What is needed of `SeededChoice`. */
interface Draw {
  one<T>(items: readonly T[]): T | undefined;
  between(low: number, high: number): number;
}

export function plantedSecret(spec: OperatorSpec): PlantedSecret | null {
  if (spec.kind !== 'attribute' || !spec.secret) return null;
  const values = [spec.set, ...spec.also.flatMap(valuesIn)];
  const example = values.findLast((value) => typeof value === 'string');
  return typeof example === 'string' ? { kind: spec.secret, example } : null;
}

function valuesIn(change: object): unknown[] {
  if ('value' in change) return [change.value];
  return 'insert' in change && typeof change.insert === 'object' ? Object.values(change.insert ?? {}) : [];
}

/** The code with a drawn credential in place of the example. `address`: of the resource, whose name may say what it is. */
export function withDrawnSecret(
  code: string,
  { kind, example }: PlantedSecret,
  { draw, address }: { draw: Draw; address: string },
): string {
  if (!code.includes(example)) return code;
  const secret =
    kind === 'any' && /url|dsn|database|connection/i.test(address) ? databaseUrl(draw) : drawSecret(kind, draw);
  return code.replaceAll(example, () => secret);
}

/**
 * A credential in a form that secret scanners recognise. It is random, so it opens nothing. Prefixes are put together
 * here, so that this file holds none itself. Every form can be written in YAML without quotes, except a private key.
 */
function drawSecret(kind: SecretKind, draw: Draw): string {
  switch (kind) {
    case 'password':
      return password(draw);
    case 'token':
      return `${letters(draw, 1)}${mixed(draw, 31)}`;
    case 'aws_secret_key':
      return awsSecretKey(draw);
    case 'any':
      return draw.one(FORMS)?.(draw) ?? password(draw);
  }
}

const LOWER = 'abcdefghijkmnopqrstuvwxyz';
const UPPER = 'ABCDEFGHJKLMNPQRSTUVWXYZ';
const DIGITS = '23456789';
const MIXED = LOWER + UPPER + DIGITS;

/** Every service accepts it: a small and a large letter, a digit, and no character that some of them refuse. */
function password(draw: Draw): string {
  const ends = `${letters(draw, 1)}${text(draw, UPPER, 1)}${text(draw, DIGITS, 2)}`;
  return `${ends}${mixed(draw, draw.between(10, 17))}`;
}

function awsSecretKey(draw: Draw): string {
  return `${letters(draw, 1)}${text(draw, `${MIXED}/+`, 38)}${letters(draw, 1)}`;
}

function databaseUrl(draw: Draw): string {
  const [scheme = 'postgres', port = 5432] = draw.one(DATABASES) ?? [];
  const [user, host, name] = [draw.one(USERS), draw.one(HOSTS), draw.one(NAMES)];
  return `${scheme}://${user}:${password(draw)}@${host}.internal:${port}/${name}`;
}

const FORMS: readonly ((draw: Draw) => string)[] = [
  databaseUrl,
  awsSecretKey,
  (draw) => `${['gh', 'p_'].join('')}${mixed(draw, 36)}`,
  (draw) => `${['xo', 'xb-'].join('')}${text(draw, DIGITS, 12)}-${text(draw, DIGITS, 12)}-${mixed(draw, 24)}`,
  (draw) => `${['sk_', 'live_'].join('')}${mixed(draw, 24)}`,
  (draw) => {
    const line = (word: string) => ['-----', word, ' RSA PRIVATE KEY', '-----'].join('');
    const body = Array.from({ length: 4 }, () => text(draw, `${MIXED}/+`, 64));
    return `${[line('BEGIN'), ...body, line('END')].join('\\n')}\\n`;
  },
];

const DATABASES = [
  ['postgres', 5432],
  ['mysql', 3306],
  ['mongodb', 27017],
  ['amqp', 5672],
] as const;
const USERS = ['ops', 'app', 'reporting', 'billing', 'etl', 'admin'];
const HOSTS = ['reporting', 'orders-db', 'warehouse', 'core', 'ledger', 'events'];
const NAMES = ['ops', 'orders', 'ledger', 'main', 'events', 'customers'];

function letters(draw: Draw, length: number): string {
  return text(draw, LOWER, length);
}

function mixed(draw: Draw, length: number): string {
  return text(draw, MIXED, length);
}

function text(draw: Draw, characters: string, length: number): string {
  return Array.from({ length }, () => characters[draw.between(0, characters.length - 1)]).join('');
}
