import { errorMessage } from '../text/errors/salvo-error.ts';
import type { FileRecord, ImportedConversation, ImportFormat } from './import-format.ts';

/** A conversation of a file, or something of the file that could not be read. */
export type ReadItem = { conversation: ImportedConversation; format: ImportFormat } | { lost: LostRecord };

export interface LostRecord {
  line: number;
  /** As the end of a sentence that begins with the line. */
  problem: string;
}

/** What a reader gives for records that belong together. What it cannot read is lost, and what came before stays. */
export function* readWith(format: ImportFormat, records: readonly FileRecord[]): Generator<ReadItem> {
  try {
    for (const conversation of format.read(records)) yield { conversation, format };
  } catch (error) {
    yield {
      lost: { line: records[0]?.line ?? 0, problem: `could not be read as ${format.title}: ${problemOf(error)}` },
    };
  }
}

/** A list of problems begins with a heading that says nothing here. */
export function problemOf(error: unknown): string {
  return errorMessage(error).replace(/^The messages are not valid:\s*/, '');
}
