import { SalvoError } from '../../text/salvo-error.ts';

type Sqlite = typeof import('node:sqlite');

/**
 * `node:sqlite`, loaded only when a store is opened and without the warning Node 22 greets it with.
 * The load is synchronous, so no other warning can be lost while ours is held back.
 */
export function loadSqlite(): Sqlite {
  const emitWarning = process.emitWarning;
  process.emitWarning = (...args: unknown[]) => {
    if (!String(args[0]).startsWith('SQLite is an experimental feature')) Reflect.apply(emitWarning, process, args);
  };
  try {
    const sqlite: Sqlite | undefined = process.getBuiltinModule('node:sqlite');
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new SalvoError(
    'STORE_NO_SQLITE',
    `Node ${process.version} was built without SQLite, which Salvo stores its runs in. Use an official build of Node 22.18 or later.`,
  );
}
