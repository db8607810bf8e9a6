import { z } from 'zod';
import type { WrittenFile } from '../../../scenario/schema/tool-schema.ts';
import { SalvoError } from '../../../text/errors/salvo-error.ts';
import { isRecord } from '../../../text/json/is-record.ts';
import { jsonEqual } from '../../../text/json/json-equal.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { bytesOfBase64, fileOfBytes } from '../../../trace/files/message-file.ts';
import type { ToolOutcome } from '../tool-source.ts';

/** What a model can read at most is far less. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
const MOST_FILES = 20;

const text = z.string();
const contentsSchema = z.looseObject({
  uri: text,
  mimeType: text.optional().catch(undefined),
  text: text.optional().catch(undefined),
  blob: text.optional().catch(undefined),
});

/** A part of a result, as far as Salvo knows its types. Parts of later types are named. */
export const partSchema = z.union([
  z.looseObject({ type: z.literal('text'), text }),
  z.looseObject({ type: z.enum(['image', 'audio']), data: text, mimeType: text }),
  z.looseObject({ type: z.literal('resource'), resource: contentsSchema }),
  z.looseObject({ type: z.literal('resource_link'), uri: text, name: text.optional().catch(undefined) }),
  z.looseObject({ type: text }),
]);

type Part = z.infer<typeof partSchema>;

/** What `tools/call` answers. */
export const callResultSchema = z.looseObject({
  content: z.array(partSchema).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional().catch(undefined),
});

/** What `resources/read` answers. */
export const readResultSchema = z.looseObject({ contents: z.array(contentsSchema) });

/** What the agent receives: the texts of all parts, and their images and other files. */
export function outcomeOf({ content, structuredContent, isError }: z.infer<typeof callResultSchema>): ToolOutcome {
  const parts = content.map(readPart);
  const texts = parts.flatMap(({ text: said }) => said ?? []);
  // A server that knows older clients says the same as text.
  const isSaid = texts.some((said) => jsonEqual(jsonOrUndefined(said), structuredContent));
  if (structuredContent !== undefined && !isSaid) texts.push(JSON.stringify(structuredContent));
  return toOutcome(
    texts,
    parts.flatMap(({ file }) => file ?? []),
    isError ?? false,
  );
}

/** What the agent receives of a resource. */
export function outcomeOfResource({ contents }: z.infer<typeof readResultSchema>): ToolOutcome {
  const parts = contents.map(readContents);
  return toOutcome(
    parts.flatMap(({ text: said }) => said ?? []),
    parts.flatMap(({ file }) => file ?? []),
    false,
  );
}

function toOutcome(texts: readonly string[], files: readonly FileInResult[], is_error: boolean): ToolOutcome {
  const content = texts.join('\n');
  if (content.length > MOST_CHARACTERS) {
    const megabytes = (content.length / 1024 ** 2).toFixed(1);
    throw new SalvoError(
      'MCP_SERVER_FAILED',
      `A tool of an MCP server answered with a text of ${megabytes} MB. At most ${MOST_CHARACTERS / 1024 ** 2} MB are kept.`,
    );
  }
  const problem = is_error ? { kind: 'tool_failed' as const, message: content } : null;
  const kept = files.slice(0, MOST_FILES);
  return { content, ...(kept.length > 0 && { files: kept }), is_error, problem };
}

type FileInResult = Exclude<WrittenFile, string> & { base64: string; media_type: string };

interface ReadPart {
  text?: string | undefined;
  file?: FileInResult | undefined;
}

function readPart(part: Part): ReadPart {
  if ('text' in part && typeof part.text === 'string' && part.type === 'text') return { text: part.text };
  if ('data' in part && typeof part.data === 'string') return fileOf(part.data, String(part.mimeType), part.type);
  if ('resource' in part && isRecord(part.resource)) return readContents(contentsSchema.parse(part.resource));
  if ('uri' in part && typeof part.uri === 'string') {
    return { text: `[resource: ${typeof part.name === 'string' ? `${part.name}, ` : ''}${part.uri}]` };
  }
  return { text: `[${part.type}]` };
}

function readContents({ uri, mimeType, text: said, blob }: z.infer<typeof contentsSchema>): ReadPart {
  if (said !== undefined) return { text: said };
  return blob === undefined ? { text: `[resource: ${uri}]` } : fileOf(blob, mimeType, `resource: ${uri}`);
}

/** A file that is not what the server says, or is too large, is named instead of sent. */
function fileOf(base64: string, type: string | undefined, name: string): ReadPart {
  const bytes = bytesOfBase64(base64);
  const file = bytes && fileOfBytes(bytes, { type });
  if (!file?.data) return { text: `[${name}: it cannot be read]` };
  return { file: { base64: file.data, media_type: file.media_type } };
}
