import { z } from 'zod';

/** Content as agents write it: text, nothing, or the content blocks of Anthropic's and OpenAI's messages. */
export const agentContentSchema = z.preprocess(
  (value) => (typeof value === 'string' ? [{ type: 'text', text: value }] : (value ?? [])),
  z.array(z.preprocess(knownBlock, contentBlockSchema()), {
    error: 'expected a text, null or a list of content blocks',
  }),
);

/** A tool's result: text and blocks as above; any other JSON value is written as JSON. */
export const agentToolContentSchema = z.unknown().transform((value): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const blocks = agentContentSchema.safeParse(value);
  return blocks.success ? (contentText(blocks.data) ?? '') : JSON.stringify(value);
});

export type ContentBlock = z.infer<typeof agentContentSchema>[number];

/** The text of the blocks, or null when there is none. What cannot be shown as text is named: `[image]`. */
export function contentText(blocks: ContentBlock[]): string | null {
  const texts = blocks.flatMap((block) => {
    if (block.type === 'text' || block.type === 'input_text' || block.type === 'output_text') return [block.text];
    if (block.type === 'refusal') return [block.refusal];
    return block.type === 'other' && !HIDDEN.has(block.kind) ? [`[${block.kind}]`] : [];
  });
  return texts.length === 0 ? null : texts.join('\n');
}

const HIDDEN: ReadonlySet<string> = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const KNOWN: ReadonlySet<unknown> = new Set([
  'text',
  'input_text',
  'output_text',
  'refusal',
  'tool_use',
  'tool_result',
]);

function contentBlockSchema() {
  return z.discriminatedUnion('type', [
    z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }),
    z.object({ type: z.literal('refusal'), refusal: z.string() }),
    z.object({
      type: z.literal('tool_use'),
      id: z.string().nullish(),
      name: z.string().min(1),
      input: z.unknown().optional(),
    }),
    z.object({
      type: z.literal('tool_result'),
      tool_use_id: z.string(),
      content: z.unknown().optional(),
      is_error: z.boolean().nullish(),
    }),
    z.object({ type: z.literal('other'), kind: z.string({ error: 'a content block needs a "type"' }) }),
  ]);
}

function knownBlock(block: unknown): unknown {
  if (typeof block === 'string') return { type: 'text', text: block };
  if (typeof block !== 'object' || block === null || !('type' in block)) return block;
  return KNOWN.has(block.type) ? block : { type: 'other', kind: block.type };
}
