import { z } from 'zod';
import { effectSchema, type WrittenFile } from '../../../scenario/schema/tool-schema.ts';
import { canonicalJson } from '../../../text/json/canonical-json.ts';
import { jsonOrUndefined } from '../../../text/json/json-in-text.ts';
import { isNestedTooDeeply } from '../../../text/json/nesting.ts';
import { compareNames } from '../../../text/words/names.ts';
import { problem } from '../tool-mocks.ts';
import type { ToolOutcome } from '../tool-source.ts';

export const TOOL_CASSETTE_VERSION = 1;

const argumentsSchema = z.record(z.string(), z.unknown());

const recordedFilesSchema = z.array(z.strictObject({ media_type: z.string(), base64: z.string() })).max(20);

const recordedCallSchema = z.strictObject({
  arguments: argumentsSchema.default({}),
  /** The calls that may have changed something before it, in their order: `{ tool: arguments }`. */
  after: z.array(z.record(z.string(), argumentsSchema)).optional(),
  /** How often the same call was made before in its trial, and it. Missing: once, or any number of times if it reads. */
  occurrence: z.int().positive().optional(),
  /** A text, or any JSON. */
  answer: z.unknown().optional(),
  /** The tool answered with an error. */
  error: z.string().optional(),
  files: recordedFilesSchema.optional(),
});

const recordedPromptSchema = z.strictObject({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).default({}),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.string(),
        files: recordedFilesSchema.optional(),
      }),
    )
    .min(1),
});

const recordedToolSchema = z.strictObject({
  description: z.string().optional(),
  parameters: z.record(z.string(), z.unknown()).optional(),
  effect: effectSchema.optional(),
  calls: z.array(recordedCallSchema).default([]),
});

export const toolCassetteSchema = z.strictObject({
  version: z.literal(TOOL_CASSETTE_VERSION),
  /** The tools of each MCP server that was recorded, by its command or address. */
  servers: z.record(z.string(), z.array(z.string())).default({}),
  /** The prompts of servers that began conversations, by the server's command or address. */
  prompts: z.record(z.string(), z.array(recordedPromptSchema)).default({}),
  tools: z.record(z.string(), recordedToolSchema).default({}),
});

export type RecordedToolCall = z.infer<typeof recordedCallSchema>;
export type RecordedPrompt = z.infer<typeof recordedPromptSchema>;
export type RecordedTool = z.infer<typeof recordedToolSchema>;

export interface ToolCassetteContents {
  servers: Map<string, string[]>;
  prompts: Map<string, RecordedPrompt[]>;
  tools: Map<string, RecordedTool>;
}

export function emptyContents(): ToolCassetteContents {
  return { servers: new Map(), prompts: new Map(), tools: new Map() };
}

/** The tool of a name, which is added if it is missing. */
export function toolIn(contents: ToolCassetteContents, name: string): RecordedTool {
  const known = contents.tools.get(name);
  if (known) return known;
  const tool: RecordedTool = { calls: [] };
  contents.tools.set(name, tool);
  return tool;
}

/** The fields of an entry that hold what a tool answered. */
export function recordedAnswer({ content, files = [], is_error }: ToolOutcome): Partial<RecordedToolCall> {
  const kept = recordedFiles(files);
  return {
    ...(is_error ? { error: content } : { answer: answerValue(content) }),
    ...(kept.length > 0 && { files: kept }),
  };
}

export function recordedFiles(files: readonly WrittenFile[]): z.infer<typeof recordedFilesSchema> {
  return files.flatMap((file) => {
    if (typeof file === 'string' || file.base64 === undefined) return [];
    return [{ media_type: file.media_type ?? 'application/octet-stream', base64: file.base64 }];
  });
}

export function outcomeOfCall({ answer, error, files }: RecordedToolCall): ToolOutcome {
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer ?? null);
  const outcome =
    error === undefined ? { content: text, is_error: false, problem: null } : problem('tool_failed', error);
  return files ? { ...outcome, files } : outcome;
}

/** Deeper answers stay texts: YAML of that depth cannot be read. */
const DEEPEST_ANSWER = 40;

/** JSON is kept as such if it gives the same text again, so that it can be read and compared in a review. */
function answerValue(text: string): unknown {
  if (!/^[[{]/.test(text) || text.includes('"__proto__"') || text.length > 1_000_000) return text;
  const value = jsonOrUndefined(text);
  if (value === undefined || depthOf(value) > DEEPEST_ANSWER) return text;
  return JSON.stringify(value) === text ? value : text;
}

function depthOf(value: unknown): number {
  if (isNestedTooDeeply(value)) return Number.POSITIVE_INFINITY;
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** In an order that does not depend on when answers came. */
export function sortedCalls(calls: readonly RecordedToolCall[]): RecordedToolCall[] {
  const orderOf = ({ arguments: args, after = [], occurrence = 1 }: RecordedToolCall) =>
    `${canonicalJson(args)} ${String(after.length).padStart(5, '0')} ${canonicalJson(after)} ${String(occurrence).padStart(7, '0')}`;
  return calls
    .map((call) => ({ call, order: orderOf(call) }))
    .sort((a, b) => compareNames(a.order, b.order))
    .map(({ call }) => call);
}
