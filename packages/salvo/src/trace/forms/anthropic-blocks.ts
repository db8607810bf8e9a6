import { z } from 'zod';
import { isRecord } from '../../text/json/is-record.ts';
import { mediaName } from '../files/media-type.ts';
import { readAs } from './form-error.ts';
import { mediaReader } from './media.ts';
import { callReader, type PartReader } from './part-sink.ts';
import { toolOutput, toolOutputText } from './tool-output.ts';

const resultSchema = z.object({
  tool_use_id: z.string(),
  content: z.unknown().optional(),
  is_error: z.boolean().nullish(),
});

const readUse = callReader('input');

const readResult: PartReader = (block, sink, place) => {
  const { tool_use_id, content, is_error } = readAs(resultSchema, block, place);
  // Tools that ran at Anthropic report an error as their content.
  const failed = isRecord(content) && typeof content.type === 'string' && content.type.endsWith('_error');
  sink.result({ id: tool_use_id, ...toolOutput(content), is_error: is_error ?? failed });
};

/** Which model answers, and which tools there are from now on. */
const withoutContent: PartReader = () => {};

/** The content blocks of Anthropic's messages. */
export const ANTHROPIC_BLOCKS: [string, PartReader][] = [
  [
    'thinking',
    (block, sink, place) => sink.reasoning(readAs(z.object({ thinking: z.string() }), block, place).thinking, place),
  ],
  ['redacted_thinking', (_, sink, place) => sink.reasoning('[redacted thinking]', place)],
  ['tool_use', readUse],
  ['server_tool_use', readUse],
  ['mcp_tool_use', readUse],
  ['tool_result', readResult],
  ['mcp_tool_result', readResult],
  ['web_search_tool_result', readResult],
  ['web_fetch_tool_result', readResult],
  ['code_execution_tool_result', readResult],
  ['bash_code_execution_tool_result', readResult],
  ['text_editor_code_execution_tool_result', readResult],
  ['tool_search_tool_result', readResult],
  ['advisor_tool_result', readResult],
  ['compaction', (_, sink, place) => sink.reasoning('[compaction]', place)],
  ...['fallback', 'mcp_tool_listing', 'tool_addition', 'tool_removal'].map((type): [string, PartReader] => [
    type,
    withoutContent,
  ]),
  ['image', mediaReader('image')],
  ['document', mediaReader('document')],
  ['container_upload', mediaReader('file')],
  [
    'mid_conv_system',
    (block, sink, place) => {
      sink.marker(mediaName('system instructions'), place);
      sink.text(toolOutputText(block.content), place);
    },
  ],
  [
    'search_result',
    (block, sink, place) => {
      sink.marker(mediaName('search result', block.title), place);
      sink.text(toolOutputText(block.content), place);
    },
  ],
];
