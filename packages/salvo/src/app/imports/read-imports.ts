import { createHash } from 'node:crypto';
import type { ImportedConversation, ImportFormat } from '../../imports/import-format.ts';
import type { ByteSource } from '../../imports/input/byte-source.ts';
import { readFile } from '../../imports/read-file.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import type { ImportedRecord, Trace } from '../../trace/trace.ts';
import type { createFieldReader } from './field-choice.ts';
import type { FileTally } from './file-tally.ts';
import type { createImportPlan, ImportPlace } from './import-plan.ts';

/** A conversation that is to be stored. */
export interface PlacedConversation {
  place: ImportPlace;
  trace: Trace;
  given: ImportedRecord['given'];
  source: { file: string; line: number };
}

export interface ImportReading {
  sources: readonly ByteSource[];
  format: ImportFormat | null;
  fields: ReturnType<typeof createFieldReader>;
  plan: ReturnType<typeof createImportPlan>;
  /** The names of those that are not named themselves: other files may be in a folder, too. */
  found: ReadonlySet<string>;
  /** By the position of the source. */
  tallies: readonly FileTally[];
  stop?: AbortSignal | undefined;
}

const UNKNOWN_TIME = '1970-01-01T00:00:00.000Z';

/** Counts conversations that are equal to one before. */
export interface EqualConversations {
  /** Without an id and a time, so that they may be trials. */
  kept: number;
}

/** Reads all files in their order. Equal conversations with the same id or time are left out. */
export async function* readImports(
  reading: ImportReading,
  equal: EqualConversations,
): AsyncGenerator<PlacedConversation> {
  const seen = new Set<string>();
  for (const [index, source] of reading.sources.entries()) {
    const tally = reading.tallies[index];
    if (!tally || reading.stop?.aborted) return;
    const opened = await openedFile(source, reading);
    if (!opened) continue;
    const { format, items } = opened;
    if (format) tally.isOf(format.name);
    for await (const item of items) {
      if (reading.stop?.aborted) return;
      if ('lost' in item) tally.lose(item.lost);
      else {
        const { conversation } = item;
        const placed = placedIn(item, source.name, reading);
        const key = contentKey(conversation, placed.given);
        if (seen.has(key)) {
          if (conversation.id !== null || conversation.trace.timestamp !== UNKNOWN_TIME) {
            tally.double();
            continue;
          }
          equal.kept += 1;
        }
        seen.add(key);
        tally.add(conversation);
        yield { ...placed, place: placed.place() };
      }
    }
  }
}

/** Null for a file that was only found in a folder and is in no form that Salvo knows. */
async function openedFile(source: ByteSource, { format, found, tallies, sources }: ImportReading) {
  try {
    return await readFile(source, format);
  } catch (error) {
    const isKnown = !(error instanceof SalvoError) || error.code !== 'IMPORT_FORMAT_UNKNOWN';
    if (isKnown || !found.has(source.name)) throw error;
    const problem = source.bytes === 0 ? 'is empty' : 'is in no form that Salvo knows';
    tallies[sources.indexOf(source)]?.lose({ line: 0, problem });
    return null;
  }
}

function placedIn(
  { conversation, format }: { conversation: ImportedConversation; format: ImportFormat },
  file: string,
  { fields, plan }: ImportReading,
) {
  const { id, line, suite, aside } = conversation;
  const given = fields.givenOf(conversation);
  const earlier = conversation.trace.imported;
  const isKnown = earlier?.given?.passed === given?.passed;
  const imported = earlier ? { ...earlier, ...(!isKnown && { given }) } : { format: format.name, id, given, aside };
  const trace: Trace = { ...conversation.trace, imported };
  const ofCase = fields.caseOf(conversation);
  const trial = fields.trialOf(conversation);
  const ownName = id ?? `${file}:${line}`;
  const place = () => plan.place({ suite, case: ofCase, ownName, trial }, conversation);
  return { trace, given, source: { file, line }, place };
}

/** Equal for conversations in which the same was said and done, under the same name, with the same outcome. */
function contentKey(conversation: ImportedConversation, given: ImportedRecord['given']): string {
  const { id, suite, case: ofCase, trial, trace } = conversation;
  const about = JSON.stringify([id, suite, ofCase, trial, trace.timestamp, trace.model, given]);
  return createHash('sha1').update(about).update(JSON.stringify(trace.messages)).digest('base64').slice(0, 20);
}
