import { extname } from 'node:path';

/** The images that pages show. All of them are only pixels: SVG and HTML can contain scripts. */
export const SHOWN_IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What the first bytes of a file must be for its type to be believed. */
const SIGNATURES: [type: string, isIt: (head: string) => boolean][] = [
  ['image/png', (head) => head.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (head) => head.startsWith('\xff\xd8\xff')],
  ['image/gif', (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a')],
  ['image/webp', (head) => head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP'],
  ['application/pdf', (head) => head.startsWith('%PDF-')],
];
const CHECKED: ReadonlySet<string> = new Set(SIGNATURES.map(([type]) => type));

/** The type that the content itself shows; undefined for types without a signature that Salvo knows. */
export function typeOfContent(content: Uint8Array): string | undefined {
  const head = Buffer.from(content.subarray(0, 16)).toString('latin1');
  return SIGNATURES.find(([, isIt]) => isIt(head))?.[0];
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.svg': 'image/svg+xml',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.html': 'text/html',
  '.json': 'application/json',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.wav': 'audio/wav',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The type that a name stands for; undefined if its extension is not known. */
export function typeOfName(name: string): string | undefined {
  return BY_EXTENSION[extname(name).toLowerCase()];
}

/** `image/jpg` and parameters such as `; charset=utf-8` are frequent, and providers refuse them. */
export function plainType(type: string): string {
  const plain = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return plain === 'image/jpg' ? 'image/jpeg' : plain;
}

/** Null if the file is said to be of a type whose signature it does not have: no provider could read it. */
export function mediaTypeOf(content: Uint8Array, said: string | undefined): string | null {
  const found = typeOfContent(content);
  if (found !== undefined) return found;
  const type = said === undefined ? 'application/octet-stream' : plainType(said);
  return CHECKED.has(type) ? null : type;
}

/** The name of something that is not text: `[image]`, or `[file: report.pdf]`. */
export function mediaName(kind: string, name?: unknown): string {
  return typeof name === 'string' && name !== '' ? `[${kind}: ${name}]` : `[${kind}]`;
}

/** `image` for image/png; `file` for whatever is neither image, audio nor video. */
export function mediaKind(mediaType: unknown): string {
  const kind = typeof mediaType === 'string' ? mediaType.split('/')[0] : undefined;
  return kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'file';
}
