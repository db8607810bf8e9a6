import { isRecord } from '../../text/json/is-record.ts';

const TEXT_TYPES: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);
const MEDIA = new Map<unknown, string>([
  ['image', '[image]'],
  ['image_url', '[image]'],
  ['input_image', '[image]'],
  ['image-data', '[image]'],
  ['image-url', '[image]'],
  ['image-file-id', '[image]'],
  ['image-file-reference', '[image]'],
  ['computer_screenshot', '[image]'],
  ['audio', '[audio]'],
  ['document', '[document]'],
  ['file', '[file]'],
  ['input_file', '[file]'],
  ['file-data', '[file]'],
  ['file-url', '[file]'],
  ['file-id', '[file]'],
  ['file-reference', '[file]'],
]);

/** The result of a tool as text: texts and media as they are in messages, any other JSON value as JSON. */
export function toolOutputText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const texts = (Array.isArray(value) ? value : [value]).map(textOfBlock);
  const known = texts.filter((text) => text !== undefined);
  return known.length === texts.length && known.length > 0 ? known.join('\n') : (JSON.stringify(value) ?? '');
}

/** Undefined for what is not a block of text or a medium: the whole result is then shown as JSON. */
function textOfBlock(block: unknown): string | undefined {
  if (!isRecord(block)) return undefined;
  if (TEXT_TYPES.has(block.type))
    return isOnly(block, 'text') && typeof block.text === 'string' ? block.text : undefined;
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

function isOnly(block: Record<string, unknown>, field: string): boolean {
  return Object.keys(block).every((key) => key === field || BESIDES.has(key));
}

/** A tool may answer with an object of its own that has a `type`, such as {"type": "document", "pages": 3}. */
function hasMedium(block: Record<string, unknown>): boolean {
  const sources = ['source', 'data', 'url', 'image_url', 'image', 'file', 'fileId', 'file_id', 'file_data', 'file_url'];
  return [...sources, 'providerReference'].some((source) => block[source] !== undefined && block[source] !== null);
}

/** What a tool threw, which JSON keeps as its name and message. */
export function toolErrorText(error: unknown): string {
  return isRecord(error) && typeof error.message === 'string' ? error.message : toolOutputText(error);
}
