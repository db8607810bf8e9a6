import type { Message, MessageFile } from '../trace/message.ts';
import { anthropicFile } from '../trace/write/anthropic-messages.ts';
import { openAiFile } from '../trace/write/openai-messages.ts';
import { AdapterError } from './adapter-error.ts';
import type { AdapterType } from './adapter-options-schema.ts';

/** Why an adapter cannot pass on a file of the user; null if it can, or if only its provider knows. */
export function whyRefused(type: AdapterType | 'registered' | undefined, file: MessageFile): string | null {
  if (type === 'llama') return 'a model in this process takes only text';
  if (type === 'ag-ui') return 'agents behind AG-UI are sent only text';
  if (type === 'openai' && openAiFile(file) === null) {
    return "OpenAI's chat completions take an address only of an image: give the file itself, by its path";
  }
  if (type === 'anthropic' && anthropicFile(file) === null) {
    return "Anthropic's API takes PNG, JPEG, GIF and WebP images, PDF, and text files by their content";
  }
  return null;
}

/** Throws before anything is sent. Files of results of tools are not refused: what cannot be sent is named in their text. */
export function refuseFiles(type: AdapterType, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.role !== 'user') continue;
    for (const file of message.files ?? []) {
      const why = whyRefused(type, file);
      const what = `${file.name ?? 'a file'} (${file.media_type})`;
      if (why !== null) throw new AdapterError('bad_request', `The adapter cannot send ${what}: ${why}.`);
    }
  }
}
