import { isRecord } from '../../text/json/is-record.ts';
import { mediumFile } from '../files/medium-file.ts';
import type { MessageFile } from '../message.ts';

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);
const IMAGE_TYPES = [
  'image',
  'image_url',
  'input_image',
  'image-data',
  'image-url',
  'image-file-id',
  'computer_screenshot',
];
const FILE_TYPES = ['file', 'input_file', 'file-data', 'file-url', 'file-id', 'file-reference'];
const MEDIA = new Map<unknown, string>([
  ...[...IMAGE_TYPES, 'image-file-reference'].map((type) => [type, '[image]'] as const),
  ...FILE_TYPES.map((type) => [type, '[file]'] as const),
  ['audio', '[audio]'],
  ['document', '[document]'],
]);

/** The result of a tool as text: texts and media as they are in messages, any other JSON value as JSON. */
export function toolOutputText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const texts = (Array.isArray(value) ? value : [value]).map(textOfBlock);
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length && known.length > 0 ? known.join('\n') : (JSON.stringify(value) ?? '');
}

/** The result of a tool as text, and the files in it that the text only names. */
export function toolOutput(value: unknown): { content: string; files?: MessageFile[] } {
  const content = toolOutputText(value);
  if (typeof value !== 'object' || value === null) return { content };
  const blocks: unknown[] = Array.isArray(value) ? value : [value];
  const files = blocks.flatMap((block) => {
    const isMedium = isRecord(block) && MEDIA.has(block.type) && hasMedium(block);
    const file = isMedium ? mediumFile(block) : undefined;
    return file ? [file] : [];
  });
  return files.length === 0 ? { content } : { content, files };
}

/** Undefined for what is not a block of text or a medium: the whole result is then shown as JSON. */
function textOfBlock(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined;
  if (TEXT_TYPES.has(block.type)) {
    const isOnlyText = Object.keys(block).every((key) => key === 'text' || BESIDES.has(key));
    return isOnlyText && typeof block.text === 'string' ? block.text : undefined;
  }
  return hasMedium(block) ? MEDIA.get(block.type) : undefined;
}

/** Fields that may accompany a text without being a part of what the tool said. */
const BESIDES: ReadonlySet<string> = new Set([
  'type',
  'id',
  'index',
  'annotations',
  'citations',
  'cache_control',
  'providerOptions',
  'providerMetadata',
  'providerData',
]);

/** A tool may answer with an object of its own that has a `type`, such as {"type": "document", "pages": 3}. */
function hasMedium(block: Record<string, unknown>): boolean {
  const sources = ['source', 'data', 'url', 'image_url', 'image', 'file', 'fileId', 'file_id', 'file_data', 'file_url'];
  return [...sources, 'providerReference'].some((source) => block[source] !== undefined && block[source] !== null);
}

/** What a tool threw, which JSON keeps as its name and message. */
export function toolErrorText(error: unknown): string {
  return isRecord(error) && typeof error.message === 'string' ? error.message : toolOutputText(error);
}
