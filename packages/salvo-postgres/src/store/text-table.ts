import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type Decoder, decoder, referencesIn, unreadable } from 'salvo/kit/store';
import { SCHEMA } from '../postgres/migrate-schema.ts';
import type { Row, Sql } from '../postgres/postgres.ts';

/** Below this, compressing takes longer than it saves. */
const COMPRESS_FROM = 4096;
/** References this process knows to be stored; the oldest are forgotten first, so that memory is bounded. */
const KNOWN_LIMIT = 5000;
/** How a text begins that was compressed with zstd. */
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Long texts by their hash. */
export function textTable(place: string) {
  const known = new Set<string>();
  let purgesKnown: unknown;

  function textOf(stored: unknown, reference: string): string {
    if (!Buffer.isBuffer(stored)) throw unreadable(place, `The text ${reference}`);
    if (!stored.subarray(0, 4).equals(ZSTD)) return stored.toString('utf8');
    try {
      return zstdDecompressSync(stored).toString('utf8');
    } catch (cause) {
      throw unreadable(place, `The text ${reference}`, undefined, cause);
    }
  }

  return {
    /** Inside of a transaction. `purges`: how often texts were removed from the database until now. */
    async insert(sql: Sql, texts: ReadonlyMap<string, string>, purges: unknown): Promise<void> {
      if (purges !== purgesKnown) known.clear();
      purgesKnown = purges;
      const fresh = [...texts].filter(([reference]) => !known.has(reference));
      if (fresh.length === 0) return;
      // In the order of their hashes, so that two writers of the same texts cannot wait for each other.
      fresh.sort(([a], [b]) => (a < b ? -1 : 1));
      const hashes = fresh.map(([reference]) => Buffer.from(reference, 'base64url'));
      const contents = fresh.map(([, text]) =>
        text.length < COMPRESS_FROM ? Buffer.from(text) : zstdCompressSync(text),
      );
      await sql.query(
        `INSERT INTO ${SCHEMA}.blobs (hash, text) SELECT * FROM unnest($1::bytea[], $2::bytea[]) ON CONFLICT DO NOTHING`,
        [hashes, contents],
        'insert-texts',
      );
    },
    /** Call it after the commit: these need no second insert, until texts are removed again. */
    committed(texts: ReadonlyMap<string, string>, purges: unknown): void {
      if (purges !== purgesKnown) return;
      for (const reference of texts.keys()) known.add(reference);
      for (const oldest of known) {
        if (known.size <= KNOWN_LIMIT) break;
        known.delete(oldest);
      }
    },
    /** Reads the texts that the documents in some rows refer to, all at once, and returns what decodes these documents. */
    async decoderFor(rows: readonly Row[], sql: Sql): Promise<Decoder> {
      const references = new Set<string>();
      for (const row of rows) {
        for (const value of Object.values(row)) {
          if (typeof value === 'string') for (const reference of referencesIn(value)) references.add(reference);
        }
      }
      const stored = new Map<string, unknown>();
      const texts = new Map<string, string>();
      if (references.size > 0) {
        const hashes = Array.from(references, (reference) => Buffer.from(reference, 'base64url'));
        const found = await sql.query(
          `SELECT hash, text FROM ${SCHEMA}.blobs WHERE hash = ANY ($1::bytea[])`,
          [hashes],
          'select-texts',
        );
        for (const { hash, text } of found) {
          const reference = Buffer.isBuffer(hash) ? hash.toString('base64url') : '';
          stored.set(reference, text);
        }
      }
      return decoder(place, (reference) => {
        // Only now: a broken text is no reason to refuse the other documents.
        const text = texts.get(reference) ?? textOf(stored.get(reference), reference);
        texts.set(reference, text);
        return text;
      });
    },
  };
}
