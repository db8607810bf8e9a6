import { describe, expect, test } from 'vitest';
import type { Adapter } from '../../packages/salvo/src/adapters/adapter.ts';
import { createAnthropicAdapter } from '../../packages/salvo/src/adapters/anthropic/anthropic.ts';
import { createOpenAiAdapter } from '../../packages/salvo/src/adapters/openai/openai.ts';
import { fileOfBytes } from '../../packages/salvo/src/trace/files/message-file.ts';
import type { Message, MessageFile } from '../../packages/salvo/src/trace/message.ts';
import { type Reply, startLoopback } from '../loopback/loopback-server.ts';
import { completion } from '../loopback/openai-wire.ts';
import { PDF, samplePng } from '../sample-images.ts';

const png = samplePng().toString('base64');
const pdf = PDF.toString('base64');
const fileOf = (content: Uint8Array, name: string, type?: string): MessageFile =>
  fileOfBytes(content, { name, type }) ?? expect.fail(`${name} is not what it is said to be`);
const IMAGE = fileOf(samplePng(), 'receipt.png');
const LETTER = fileOf(PDF, 'letter.pdf');
const NOTE = fileOf(Buffer.from('Dear shop'), 'note.txt', 'text/plain');
const SOUND = fileOf(Buffer.from('RIFF'), 'call.wav', 'audio/wav');
const AT_URL: MessageFile = { media_type: 'image/jpeg', name: 'a.jpg', url: 'https://example.com/a.jpg' };
const PDF_AT_URL: MessageFile = { media_type: 'application/pdf', name: 'a.pdf', url: 'https://example.com/a.pdf' };
const ARCHIVE = fileOf(Buffer.from('PK'), 'a.zip', 'application/zip');

/** A question with files, and a tool that answered with an image. */
const conversation = (files: MessageFile[]): Message[] => [
  { role: 'user', content: 'What did it cost?', files },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'zoom', arguments: {} }] },
  { role: 'tool_result', tool_call_id: 'c1', name: 'zoom', content: 'closer', files: [IMAGE], is_error: false },
];

const CONTEXT = { root: '.', adapters: {}, env: { OPENAI_API_KEY: 'sk-test-1', ANTHROPIC_API_KEY: 'sk-test-2' } };

async function sentBy(make: (url: string) => Adapter, files: MessageFile[], reply: Reply): Promise<unknown> {
  let sent: unknown;
  await using server = await startLoopback([
    {
      expect: ({ body }) => {
        sent = body;
      },
      reply,
    },
  ]);
  await make(server.url).sendTurn(conversation(files), [], { model: 'm' });
  return sent;
}

/** What the adapter says before it sends anything. */
async function refusal(make: (url: string) => Adapter, files: MessageFile[]): Promise<unknown> {
  await using server = await startLoopback([]);
  return await make(server.url)
    .sendTurn(conversation(files), [], { model: 'm' })
    .catch((error: unknown) => error);
}

describe('OpenAI', () => {
  const make = (url: string) => createOpenAiAdapter({ type: 'openai', base_url: `${url}/v1` }, CONTEXT);

  test('receives images, sounds and files as parts, and reads of those of tools', async () => {
    const sent = await sentBy(make, [IMAGE, AT_URL, LETTER, SOUND], completion({ content: '49.90' }));
    expect(sent).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
            { type: 'file', file: { filename: 'letter.pdf', file_data: `data:application/pdf;base64,${pdf}` } },
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'text', text: 'What did it cost?' },
          ],
        },
        { role: 'assistant' },
        { role: 'tool', content: 'closer\n[image: receipt.png]' },
      ],
    });
  });

  test('is not asked if it cannot have a file', async () => {
    expect(await refusal(make, [PDF_AT_URL])).toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('a.pdf (application/pdf)'),
    });
  });
});

describe('Anthropic', () => {
  const make = (url: string) => createAnthropicAdapter({ type: 'anthropic', base_url: url }, CONTEXT);
  const said = { role: 'assistant', content: [{ type: 'text', text: '49.90' }], stop_reason: 'end_turn' };
  const answer = { json: said };

  test('receives images and documents as blocks, also in results of tools', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
    expect(await sentBy(make, [IMAGE, AT_URL, LETTER, PDF_AT_URL, NOTE], answer)).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            image,
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.jpg' } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: pdf },
              title: 'letter.pdf',
            },
            { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' }, title: 'a.pdf' },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'Dear shop' },
              title: 'note.txt',
            },
            { type: 'text', text: 'What did it cost?' },
          ],
        },
        { role: 'assistant' },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: [image, { type: 'text', text: 'closer' }] }],
        },
      ],
    });
  });

  test('is not asked if it cannot have a file', async () => {
    expect(await refusal(make, [ARCHIVE])).toMatchObject({
      kind: 'bad_request',
      message: expect.stringContaining('a.zip (application/zip)'),
    });
  });
});
