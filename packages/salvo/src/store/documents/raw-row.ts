import { z } from 'zod';
import { isUnreadable } from '../../text/errors/unreadable-error.ts';
import type { StoredRow } from '../store.ts';
import type { Decoder } from './document-codec.ts';

/** A row as it is stored, with its documents as values. What can't be read of them is a text. */
export function rawRow(table: string, row: Record<string, unknown>, decode: Decoder): StoredRow {
  const columns = Object.entries(row).map(([name, value]) => [name, rawValue(value, decode)]);
  return { table, row: Object.fromEntries(columns) };
}

function rawValue(value: unknown, decode: Decoder): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return decode('A document', z.unknown(), value);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return value;
  }
}
