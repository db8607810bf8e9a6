import { basename, extname } from 'node:path';
import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { isRecord } from '../../text/json/is-record.ts';
import { jsonOrUndefined } from '../../text/json/json-in-text.ts';
import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { childOf, entriesOf, itemsOf, textOf } from '../source/located.ts';
import { isCodeFile, type SourceFiles } from '../source/source-files.ts';
import { yamlValue } from '../source/yaml-value.ts';
import type { PromptfooConfig } from './load-config.ts';

/** A prompt of promptfoo, before the variables of a test are put in. */
export interface PromptfooPrompt {
  /** What tests and providers call it, and what reports call it. */
  label: string;
  /** Its name in reports, if that is not its text. */
  name: string | undefined;
  /** A text, which may be chat messages as JSON or YAML; or a function that returns one. */
  source: { text: string } | { module: string; exported: string | undefined };
  node: LocatedValue;
}

/** A text that names a file, although it does not begin with file://. */
const FILE_NAME = /^[^\n{}]{1,300}\.(?:txt|md|json|jsonl|ya?ml|csv|j2|[cm]?[jt]s|py|sh|exe|rb)(?::\w+)?$/;
const MOST_PROMPTS = 200;

/** The prompts of a config. What cannot be read is noted, and is none. */
export async function readPrompts({ root, files }: PromptfooConfig, notes: MigrationNotes): Promise<PromptfooPrompt[]> {
  const written = childOf(root, 'prompts');
  if (!written) return [{ label: '{{prompt}}', name: undefined, source: { text: '{{prompt}}' }, node: root }];
  const found: PromptfooPrompt[] = [];
  const nodes: [LocatedValue, string | undefined][] = Array.isArray(written.value)
    ? itemsOf(written).map((item) => [item, undefined])
    : isRecord(written.value) && !childOf(written, 'raw') && !childOf(written, 'id')
      ? entriesOf(written).map(([name, label]) => [{ ...label, value: name, children: new Map() }, textOf(label)])
      : [[written, undefined]];
  for (const [node, label] of nodes) {
    try {
      found.push(...(await promptsOf(node, label, files)));
    } catch (error) {
      if (!(error instanceof MigrationGap)) throw error;
      notes.leftOut(error.what, error.message, error.at);
    }
    if (found.length > MOST_PROMPTS) throw new MigrationGap('prompts', `there are more than ${MOST_PROMPTS}`, written);
  }
  return found;
}

async function promptsOf(
  node: LocatedValue,
  given: string | undefined,
  files: SourceFiles,
): Promise<PromptfooPrompt[]> {
  const label = given ?? textOf(childOf(node, 'label')) ?? textOf(childOf(node, 'display'));
  const raw = childOf(node, 'raw');
  const text = textOf(node) ?? textOf(raw) ?? textOf(childOf(node, 'id')) ?? textOf(childOf(node, 'prompt'));
  if (raw && text === undefined) return [plain(JSON.stringify(raw.value), { label, node })];
  if (text === undefined) {
    const source = textOf(childOf(node, '$function'));
    const why = source === undefined ? 'a prompt is a text or a file' : 'a prompt is a function of the config';
    if (Array.isArray(node.value)) return [plain(JSON.stringify(node.value), { label, node })];
    throw new MigrationGap('prompts', `${why}: write its text`, node);
  }
  if (!text.startsWith('file://') && !FILE_NAME.test(text)) {
    if (/^(?:exec|langfuse|portkey|helicone|https?):/.test(text)) {
      throw new MigrationGap(
        'prompts',
        `${text.split(':', 1)[0]}: prompts from elsewhere are not fetched: write the text`,
        node,
      );
    }
    return [plain(text, { label, node })];
  }
  const found: PromptfooPrompt[] = [];
  for (const file of await files.matches(text, node.span)) found.push(...promptsOfFile(file, { label, node, files }));
  return found;
}

function plain(
  text: string,
  { label, node, name }: { label: string | undefined; node: LocatedValue; name?: string },
): PromptfooPrompt {
  return { label: label ?? name ?? text, name: label ?? name, source: { text }, node };
}

function promptsOfFile(
  named: string,
  { label, node, files }: { label: string | undefined; node: LocatedValue; files: SourceFiles },
): PromptfooPrompt[] {
  const [, file = named, exported] = /^(.*\.\w+):(\w+)$/.exec(named) ?? [];
  const name = basename(file);
  if (isCodeFile(file)) {
    files.text(file, node.span);
    return [{ label: label ?? name, name: label ?? name, source: { module: file, exported }, node }];
  }
  if (/\.(?:py|sh|rb|exe)$/.test(file)) {
    throw new MigrationGap('prompts', `${name} is a program that writes the prompt: write the prompt itself`, node);
  }
  const { text } = files.text(file, node.span);
  const ending = extname(file).toLowerCase();
  const several = (texts: readonly string[]): PromptfooPrompt[] =>
    texts.map((each, index) =>
      plain(each, {
        label: label && texts.length > 1 ? `${label} ${index + 1}` : label,
        node,
        name: texts.length > 1 ? `${name} ${index + 1}` : name,
      }),
    );
  if (ending === '.txt') return several(splitPrompts(text));
  if (ending === '.jsonl') return several(text.split('\n').filter((line) => line.trim() !== ''));
  if (ending === '.yaml' || ending === '.yml') {
    const read = files.named(file, node.span);
    return several([typeof read.value === 'string' ? read.value : JSON.stringify(read.value)]);
  }
  if (ending === '.csv') {
    const rows = itemsOf(files.named(file, node.span));
    return rows.flatMap((row) => {
      const own = textOf(childOf(row, 'prompt')) ?? '';
      return own === '' ? [] : [plain(own, { label: textOf(childOf(row, 'label')), node: row })];
    });
  }
  return several([text.trim()]);
}

/** A text file may have several prompts, with a line `---` between them. */
function splitPrompts(text: string): string[] {
  const parts = text.split('---').map((part) => part.trim());
  return parts.filter((part) => part !== '');
}

/** A message of a chat prompt. */
export interface ChatMessage {
  role: string;
  content: string;
  images: string[];
}

/** The messages of a prompt that is a chat as JSON or YAML; undefined if it is a plain text. */
export function chatMessages(text: string, node: LocatedValue): ChatMessage[] | undefined {
  const trimmed = text.trim();
  const value = /^[[{]/.test(trimmed)
    ? jsonOrUndefined(trimmed)
    : /^- role:/.test(trimmed)
      ? yamlValue(trimmed)
      : undefined;
  return messagesOf(value, node);
}

/** The same of a value that was read already. */
export function messagesOf(value: unknown, node: LocatedValue): ChatMessage[] | undefined {
  const list: unknown = isRecord(value) && Array.isArray(value.messages) ? value.messages : value;
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (!list.every((each) => isRecord(each) && typeof each.role === 'string')) return undefined;
  return list.map((each: unknown) => messageOf(isRecord(each) ? each : {}, node));
}

function messageOf({ role, content, ...rest }: Record<string, unknown>, node: LocatedValue): ChatMessage {
  const keys = Object.keys(rest).filter((key) => key !== 'name');
  if (keys.length > 0)
    throw new MigrationGap('prompts', `a message has ${keys.join(', ')}, which is not translated`, node);
  if (typeof content === 'string') return { role: String(role), content, images: [] };
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  const texts: string[] = [];
  const images: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') texts.push(part);
    else if (isRecord(part) && typeof part.text === 'string') texts.push(part.text);
    else images.push(imageOf(part, node));
  }
  return { role: String(role), content: texts.join('\n'), images };
}

/** The address or the content of an image in the form of OpenAI or Anthropic. */
function imageOf(part: unknown, node: LocatedValue): string {
  const image = isRecord(part) ? (part.image_url ?? part.source ?? part.image) : undefined;
  const url = isRecord(image) ? (image.url ?? image.data) : image;
  if (typeof url === 'string') return url;
  const kind = isRecord(part) && typeof part.type === 'string' ? part.type : 'a part';
  throw new MigrationGap('prompts', `${kind} of a message is not translated`, node);
}
