/** In an HTML file that `salvo export --html` wrote: answers of the API, by path. See `src/server/export`. */
const INDEX = document.getElementById('answers');

export const isHtmlFile = INDEX !== null;

let chunkOf: Promise<Map<string, number>> | undefined;
/** The chunks looked at last, as their answers by path. */
const unpacked = new Map<number, Promise<Record<string, unknown>>>();
const MOST_UNPACKED = 12;

/** Undefined if the file has no such answer. */
export async function embeddedAnswer(path: string): Promise<unknown> {
  chunkOf ??= readIndex();
  const chunk = (await chunkOf).get(path);
  return chunk === undefined ? undefined : (await answersOf(chunk))[path];
}

async function readIndex(): Promise<Map<string, number>> {
  const index = await unpack<string[][]>('answers');
  return new Map(index.flatMap((paths, chunk) => paths.map((path) => [path, chunk] as const)));
}

function answersOf(chunk: number): Promise<Record<string, unknown>> {
  const answers = unpacked.get(chunk) ?? unpack<Record<string, unknown>>(`answers-${chunk}`);
  unpacked.delete(chunk);
  unpacked.set(chunk, answers);
  const [oldest] = unpacked.keys();
  if (unpacked.size > MOST_UNPACKED && oldest !== undefined) unpacked.delete(oldest);
  return answers;
}

async function unpack<Content>(id: string): Promise<Content> {
  const text = atob(document.getElementById(id)?.textContent ?? '');
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(stream).json()) as Content;
}
