import type { LocatedValue } from '../../scenario/diagnostics/located-value.ts';
import { MigrationGap, type MigrationNotes } from '../notes.ts';
import { executeModule } from '../source/execute-module.ts';
import { textOf } from '../source/located.ts';
import { compileTextTemplate } from '../template/template.ts';
import { literalText, ownText, type TestTexts } from './assertions/test-texts.ts';
import { type ChatMessage, chatMessages, messagesOf, type PromptfooPrompt } from './prompts.ts';
import type { PromptfooTest } from './tests.ts';
import { renderText } from './vars.ts';

/** A prompt for the rows of a scenario: messages whose texts are templates, or are columns of the rows. */
export interface PromptPlan {
  prompt: PromptfooPrompt;
  /** The same for all rows. */
  messages: ChatMessage[] | undefined;
  /** For each row, if the prompt is more than a template of Salvo can say. */
  ofRows: (ChatMessage[] | MigrationGap)[] | undefined;
}

/** How a prompt is written for these tests. */
export async function planPrompt(
  prompt: PromptfooPrompt,
  tests: readonly PromptfooTest[],
  texts: Omit<TestTexts, 'vars' | 'rendered'>,
): Promise<PromptPlan> {
  const { source, node } = prompt;
  if ('module' in source) return { prompt, messages: undefined, ofRows: await executedPrompt(source, prompt, tests) };
  const around = [...new Set(tests.map((test) => JSON.stringify([affix(test, 'prefix'), affix(test, 'suffix')])))];
  const [first] = tests;
  const isSame = around.length <= 1;
  const text = isSame && first ? `${affix(first, 'prefix')}${source.text}${affix(first, 'suffix')}` : source.text;
  if (isSame && isPlain(text)) {
    const chat = chatMessages(text, node) ?? [{ role: 'user', content: text, images: [] }];
    const keep = (part: string) => ownText(part, node, { ...texts, vars: first?.vars ?? {}, rendered: () => {} });
    const messages = chat.map((each) => ({ ...each, content: keep(each.content), images: each.images.map(keep) }));
    return { prompt, messages, ofRows: undefined };
  }
  const ofRows = tests.map((test) =>
    asGap(() => renderedPrompt(`${affix(test, 'prefix')}${source.text}${affix(test, 'suffix')}`, test, node)),
  );
  return { prompt, messages: undefined, ofRows };
}

function affix({ options }: PromptfooTest, name: 'prefix' | 'suffix'): string {
  return textOf(options.get(name)) ?? '';
}

/** Whether Salvo can put the variables in: in JSON they must be inside of texts. */
function isPlain(text: string): boolean {
  try {
    const isTemplate = compileTextTemplate(text).isPlain;
    return isTemplate && (!/^\s*\[\s*\{/.test(text) || isJson(text));
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function renderedPrompt(text: string, { vars }: PromptfooTest, node: LocatedValue): ChatMessage[] {
  // promptfoo puts variables into the texts of a chat, so that a quote in one does not end a text.
  const chat = chatMessages(text, node);
  if (chat)
    return chat.map((each) => ({
      ...each,
      content: renderText(each.content, vars, node),
      images: each.images.map((url) => renderText(url, vars, node)),
    }));
  const rendered = renderText(text, vars, node);
  return chatMessages(rendered, node) ?? [{ role: 'user', content: rendered, images: [] }];
}

async function executedPrompt(
  { module, exported }: { module: string; exported: string | undefined },
  { node }: PromptfooPrompt,
  tests: readonly PromptfooTest[],
): Promise<(ChatMessage[] | MigrationGap)[]> {
  const given = tests.map(({ vars }) => ({ vars, provider: { id: '', label: '' } }));
  const results = await executeModule({ file: module, from: node.span, name: exported, given });
  return results.map((result) =>
    asGap(() => {
      const text = textOf(result);
      if (text !== undefined) return chatMessages(text, node) ?? [{ role: 'user', content: text, images: [] }];
      const messages = messagesOf(result.value, node);
      if (!messages) throw new MigrationGap('prompts', 'the function gives neither a text nor messages', node);
      return messages;
    }),
  );
}

function asGap(messages: () => ChatMessage[]): ChatMessage[] | MigrationGap {
  try {
    return messages();
  } catch (error) {
    if (error instanceof MigrationGap) return error;
    throw error;
  }
}

/** The fields of a scenario, or an entry of its `prompts`. */
export type WrittenPrompt = Record<string, unknown>;

/** Messages in the order that a scenario has: instructions first, then turns that alternate. */
export function writtenPrompt(
  messages: readonly ChatMessage[],
  { node }: PromptfooPrompt,
  notes: MigrationNotes,
): WrittenPrompt {
  const isSystem = ({ role }: ChatMessage) => role === 'system' || role === 'developer';
  const turns: ChatMessage[] = [];
  for (const message of messages.filter((each) => !isSystem(each))) {
    const { role, content, images } = message;
    if (role !== 'user' && role !== 'assistant')
      throw new MigrationGap('prompts', `a message has the role ${role}`, node);
    const last = turns.at(-1);
    if (last?.role === role) {
      turns[turns.length - 1] = { role, content: `${last.content}\n\n${content}`, images: [...last.images, ...images] };
      notes.changed('prompts', 'two messages of one role in a row are joined', node);
    } else turns.push(message);
  }
  const instructions = messages.filter(isSystem).map(({ content }) => content);
  if (turns.length === 0) {
    notes.changed('prompts', 'instructions without a message of the user are sent as one', node);
    return { prompt: instructions.join('\n\n') };
  }
  const system = instructions.length > 0 ? { system_prompt: instructions.join('\n\n') } : {};
  const [only, ...others] = turns;
  if (turns.at(-1)?.role !== 'user')
    throw new MigrationGap('prompts', 'the last message is one of the assistant', node);
  if (only && others.length === 0) return { ...system, prompt: only.content, ...filesOf(only) };
  return { ...system, messages: turns.map((each) => ({ role: each.role, content: each.content, ...filesOf(each) })) };
}

function filesOf({ images }: ChatMessage): WrittenPrompt {
  if (images.length === 0) return {};
  return {
    files: images.map((image) => {
      const [, type, content] = /^data:([\w/+.-]+);base64,([\s\S]*)$/.exec(image) ?? [];
      return content === undefined ? { url: image } : { base64: content, media_type: type };
    }),
  };
}

/** Texts of a row's prompt, which are columns of it. */
export function columnTexts(
  messages: readonly ChatMessage[],
  texts: Pick<TestTexts, 'hasData'>,
  column: (index: number) => string,
) {
  const columns: Record<string, string> = {};
  const templates = messages.map((message, index) => {
    if (!texts.hasData) return message;
    columns[column(index)] = message.content;
    return {
      ...message,
      content: `{{${column(index)}}}`,
      images: message.images.map((image) => literalText(image, texts)),
    };
  });
  return { columns, templates };
}
