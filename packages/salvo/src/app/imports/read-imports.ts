import { hash } from 'node:crypto';
import type { ImportedConversation, ImportFormat } from '../../imports/import-format.ts';
import type { ByteSource } from '../../imports/input/byte-source.ts';
import { type ReadFile, readFile, UnknownFormatError } from '../../imports/read-file.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';
import { UNKNOWN_TIME } from '../../trace/foreign-trace.ts';
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
  /** The names of files that were found in folders. */
  found: ReadonlySet<string>;
  format: ImportFormat | null;
  fields: ReturnType<typeof createFieldReader>;
  plan: ReturnType<typeof createImportPlan>;
  /** By the position of the source. */
  tallies: readonly FileTally[];
  /** What is found out about equal conversations. */
  equal: EqualConversations;
  stop?: AbortSignal | undefined;
}

/** Which conversations are equal to one before, by their position among all. */
export interface EqualConversations {
  /** With the same id or time, and left out. */
  doubled: Set<number>;
  /** How many have neither an id nor a time, so that they may be trials. */
  kept: number;
}

/**
 * Reads all files in their order. Equal conversations with the same id or time are left out. `known`: they were found
 * before, so that they are not looked for again.
 */
export async function* readImports(
  reading: ImportReading,
  known: EqualConversations | null,
): AsyncGenerator<PlacedConversation> {
  const equal = known ? null : createEquality(reading.equal);
  const { doubled } = known ?? reading.equal;
  let position = 0;
  for (const [index, source] of reading.sources.entries()) {
    const tally = reading.tallies[index];
    if (!tally || reading.stop?.aborted) return;
    const opened = await openFile(source, reading, tally);
    if (opened.format) tally.isOf(opened.format.name);
    for await (const item of opened.items) {
      if (reading.stop?.aborted) return;
      if ('lost' in item) {
        tally.lose(item.lost);
        continue;
      }
      const given = reading.fields.givenOf(item.conversation);
      equal?.add(position, item.conversation, given);
      if (doubled.has(position)) tally.double();
      else {
        tally.add(item.conversation);
        yield placedIn(item, { file: source.name, given }, reading);
      }
      position += 1;
    }
  }
}

/** A file that was found in a folder may be something else. Then it is said, and the others are read. */
async function openFile(source: ByteSource, { format, found }: ImportReading, tally: FileTally): Promise<ReadFile> {
  try {
    return await readFile(source, format);
  } catch (error) {
    if (!(error instanceof SalvoError && found.has(source.name))) throw error;
    tally.lose(error instanceof UnknownFormatError ? error.lost : { line: 0, problem: error.message });
    return { format: null, items: (async function* () {})() };
  }
}

function createEquality(found: EqualConversations) {
  const seen = new Set<string>();
  return {
    add(position: number, conversation: ImportedConversation, given: ImportedRecord['given']): void {
      const key = contentKey(conversation, given);
      const { id, trace } = conversation;
      if (!seen.has(key)) seen.add(key);
      else if (id !== null || trace.timestamp !== UNKNOWN_TIME) found.doubled.add(position);
      else found.kept += 1;
    },
  };
}

function placedIn(
  { conversation, format }: { conversation: ImportedConversation; format: ImportFormat },
  { file, given }: { file: string; given: ImportedRecord['given'] },
  { fields, plan }: ImportReading,
): PlacedConversation {
  const { id, line, suite, aside } = conversation;
  const earlier = conversation.trace.imported;
  const isKnown = earlier?.given?.passed === given?.passed;
  const imported = earlier ? { ...earlier, ...(!isKnown && { given }) } : { format: format.name, id, given, aside };
  const by = {
    suite,
    case: fields.caseOf(conversation),
    ownName: id ?? `${file}:${line}`,
    trial: fields.trialOf(conversation),
  };
  const place = plan.place(by, conversation);
  return { place, trace: { ...conversation.trace, imported }, given, source: { file, line } };
}

/** Equal for conversations in which the same was said and done, under the same name, with the same outcome. */
function contentKey(conversation: ImportedConversation, given: ImportedRecord['given']): string {
  const { id, suite, case: ofCase, trial, trace } = conversation;
  const about = [id, suite, ofCase, trial, trace.timestamp, trace.model, given];
  const said = trace.messages.map(({ content }) => content ?? '').join('');
  // To write all texts as JSON would take as long as to parse them: their lengths say where each begins.
  const frame = trace.messages.map((message) => ({ ...message, content: message.content?.length }));
  const text = said.isWellFormed()
    ? `${JSON.stringify([about, frame])}${said}`
    : JSON.stringify([about, trace.messages]);
  return hash('sha1', text, 'base64').slice(0, 20);
}
