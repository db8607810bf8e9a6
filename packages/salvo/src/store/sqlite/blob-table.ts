import type { DatabaseSync } from 'node:sqlite';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { unreadable } from '../documents/document-codec.ts';
import type { WriteQueue } from './write-queue.ts';

/** A change to make inside a transaction, and the long texts that its documents refer to. */
export interface Write<T = void> {
  blobs: ReadonlyMap<string, string>;
  change: () => T;
}

/** Below this, compressing takes longer than it saves. */
const COMPRESS_FROM = 4096;
/** References this process knows to be stored; the oldest are forgotten first, so that memory is bounded. */
const KNOWN_LIMIT = 5000;

/** Long texts by their hash. */
export function blobTable(parts: { database: DatabaseSync; file: string; queue: Pick<WriteQueue, 'transaction'> }) {
  const { database, file, queue } = parts;
  const insertBlob = database.prepare('INSERT OR IGNORE INTO blobs (hash, text) VALUES (?, ?)');
  const selectBlob = database.prepare('SELECT text FROM blobs WHERE hash = ?');
  const selectPurges = database.prepare('SELECT count FROM purges');
  const known = new Set<string>();
  let purges: unknown;
  let lookedUpIn = -1;

  return {
    /** Inside a transaction. */
    insert(blobs: ReadonlyMap<string, string>): void {
      if (blobs.size === 0) return;
      if (lookedUpIn !== queue.transaction) {
        // Another process may have removed a text that nothing referred to.
        const now = selectPurges.get()?.count;
        if (now !== purges) known.clear();
        purges = now;
        lookedUpIn = queue.transaction;
      }
      for (const [reference, text] of blobs) {
        if (known.has(reference)) continue;
        insertBlob.run(blobKey(reference), text.length < COMPRESS_FROM ? text : zstdCompressSync(text));
      }
    },
    /** Call it after the commit: these need no second insert. */
    committed(blobs: ReadonlyMap<string, string>): void {
      for (const reference of blobs.keys()) known.add(reference);
      for (const oldest of known) {
        if (known.size <= KNOWN_LIMIT) break;
        known.delete(oldest);
      }
    },
    /** Call it in a transaction that has removed texts: those may have to be inserted again. */
    removed(): void {
      lookedUpIn = -1;
    },
    text(reference: string): string {
      const text = selectBlob.get(blobKey(reference))?.text;
      if (typeof text === 'string') return text;
      if (!(text instanceof Uint8Array)) throw unreadable(file, `The text ${reference}`);
      try {
        return zstdDecompressSync(text).toString('utf8');
      } catch (cause) {
        throw unreadable(file, `The text ${reference}`, undefined, cause);
      }
    },
  };
}

function blobKey(reference: string): Uint8Array {
  return Buffer.from(reference, 'base64url');
}
