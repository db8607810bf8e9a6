import type { Trace } from './trace.ts';

const MARKER = /^\[not recorded: \d+ characters\]$/;
const WHOLE_MAP = '[not recorded]';

/** What is stored instead of a text with `metadata_only`: that there was one, and its length. */
export function notRecorded(text: string): string {
  return text === '' || MARKER.test(text) ? text : `[not recorded: ${text.length} characters]`;
}

/** The same for a map of any content. It is not empty: an empty one would mean a tool call without arguments. */
export function mapNotRecorded(map: object): object {
  const keys = Object.keys(map);
  if (keys.length === 0 || (keys.length === 1 && keys[0] === WHOLE_MAP)) return map;
  return { [WHOLE_MAP]: `${JSON.stringify(map).length} characters` };
}

/** Whether a trace was stored without its texts, so that it can neither be shown nor be judged again. */
export function isMetadataOnly(trace: Trace): boolean {
  const texts = trace.messages.map(({ content }) => content ?? '').filter((content) => content !== '');
  return texts.length > 0 && texts.every((content) => MARKER.test(content));
}
