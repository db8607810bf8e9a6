import { z } from 'zod';
import { readAs } from './form-error.ts';
import { fileReader, mediaName, mediaReader } from './media.ts';
import type { PartReader } from './part-sink.ts';

const textSchema = z.object({ text: z.string() });

const readText: PartReader = (part, sink, place) => sink.text(readAs(textSchema, part, place).text, place);

/** The parts of OpenAI's messages: of chat completions, and of Responses. */
export const OPENAI_PARTS: [string, PartReader][] = [
  ['text', readText],
  ['input_text', readText],
  ['output_text', readText],
  ['refusal', (part, sink, place) => sink.text(readAs(z.object({ refusal: z.string() }), part, place).refusal, place)],
  ['image_url', mediaReader('image')],
  ['input_image', mediaReader('image')],
  ['computer_screenshot', mediaReader('image')],
  ['input_audio', mediaReader('audio')],
  ['input_file', mediaReader('file')],
  ['file', fileReader],
  ['audio', readAudio],
  ['output_audio', readAudio],
];

/** A spoken answer comes with its words. */
function readAudio(part: Record<string, unknown>, ...[sink, place]: [Parameters<PartReader>[1], string]): void {
  if (typeof part.transcript === 'string') sink.text(part.transcript, place);
  else sink.marker(mediaName('audio'), place);
}
