import { resolve } from 'node:path';
import type { ImportedConversation } from '../../imports/import-format.ts';
import { openSource } from '../../imports/input/byte-source.ts';
import { readFile } from '../../imports/read-file.ts';
import type { LostRecord } from '../../imports/read-with.ts';
import { formatNamed } from '../../imports/recognise.ts';
import { SalvoError } from '../../text/errors/salvo-error.ts';

const MOST_LOSSES = 5;

/** The first conversations of a file in any form that `importTraces` reads, and what of it could not be read. */
export async function readConversations(
  name: string,
  { cwd, format, most }: { cwd: string; format?: string | undefined; most: number },
): Promise<{ conversations: ImportedConversation[]; notes: string[] }> {
  await using source = await openSource(resolve(cwd, name), { name, input: process.stdin });
  const { items } = await readFile(source, format === undefined ? null : formatNamed(format));
  const conversations: ImportedConversation[] = [];
  const losses: LostRecord[] = [];
  for await (const item of items) {
    if ('lost' in item) losses.push(item.lost);
    else conversations.push(item.conversation);
    if (conversations.length >= most) break;
  }
  const lines = [
    ...losses.map(({ line, problem }) => `${name}:${line} ${problem}.`),
    ...conversations.flatMap((each) =>
      each.losses.map(({ line, place, problem }) => `${name}:${line} ${place} ${problem}.`),
    ),
  ];
  if (conversations.length === 0) {
    throw new SalvoError('TRACE_INVALID', lines[0] ?? `${name} has no conversation.`);
  }
  const more = lines.length > MOST_LOSSES ? [`${lines.length - MOST_LOSSES} more parts could not be read.`] : [];
  return { conversations, notes: [...lines.slice(0, MOST_LOSSES), ...more] };
}
