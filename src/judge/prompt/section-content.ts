import { toolArgumentsText } from '../../models/ask/answer-as-text.ts';
import type { CONTEXT_SECTIONS } from '../../scenario/schema/assertion-schema.ts';
import type { Message } from '../../trace/message.ts';
import { toolsKnown } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import { type JudgedScenario, noToolCalls, toolList } from './context.ts';
import { judgedTask } from './judged-task.ts';

/** A part of a trial that a judge can see. */
export type ContextSection = (typeof CONTEXT_SECTIONS)[number];

/** The most characters of each part. Longer texts lose their middle. */
export interface ContextLimits {
  response: number;
  /** One message of the user or of the conversation. */
  message: number;
  /** The arguments of one tool call. */
  arguments: number;
  /** The result of one tool call. */
  result: number;
  systemPrompt: number;
  /** All sections together, without titles. */
  total: number;
}

export const DEFAULT_LIMITS: ContextLimits = {
  response: 16_000,
  message: 8_000,
  arguments: 2_000,
  result: 4_000,
  systemPrompt: 4_000,
  total: 60_000,
};

/** A text for the fence. The label and `whenEmpty` are outside of it, so they must not contain text of the agent. */
interface Part {
  label: string;
  text: string | null;
  max: number;
  whenEmpty?: string | undefined;
}

/** A part of a section that is shown or left out as a whole. */
export interface Piece {
  heading?: string | undefined;
  parts: Part[];
}

/** Its pieces are made on demand: of a thousand tool calls only a few are ever shown. */
export interface SectionContent {
  title: string;
  count: number;
  piece: (index: number) => Piece;
  /** What a piece is called in the note that some were left out. */
  noun: string;
  whenEmpty: string;
  note?: string | undefined;
}

interface Shown {
  trace: Trace;
  scenario: JudgedScenario | undefined;
  sections: readonly ContextSection[];
  limits: ContextLimits;
}

/** In the order in which they are shown. */
const SECTIONS: Record<ContextSection, (shown: Shown) => SectionContent[]> = {
  system_prompt: systemPrompt,
  tools,
  task,
  response: (shown) => [response(shown)],
  tool_calls: (shown) => [toolCalls(shown)],
  // A result is shown with its call.
  tool_results: (shown) => (shown.sections.includes('tool_calls') ? [] : [toolCalls(shown)]),
  // The agent may have reported another task in it: then the real one is shown as well.
  conversation: (shown) => [
    ...(shown.sections.includes('task') || judgedTask(shown.trace, shown.scenario).reported === null
      ? []
      : task(shown)),
    conversation(shown),
  ],
};

/** Enough to check what the agent claims against what it was asked and what its tools returned. */
const DEFAULT_SECTIONS: readonly ContextSection[] = ['task', 'response', 'tool_calls', 'tool_results'];

/** The sections an assertion asks for, each once and in the order in which they are shown. */
export function sectionsFor(
  sections: readonly ContextSection[] = DEFAULT_SECTIONS,
  includeSystemPrompt = false,
): ContextSection[] {
  const wanted = new Set(sections);
  if (includeSystemPrompt) wanted.add('system_prompt').add('tools');
  const order = Object.keys(SECTIONS);
  return [...wanted].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

export function sectionContents(shown: Shown): SectionContent[] {
  return shown.sections.flatMap((section) => SECTIONS[section](shown));
}

function systemPrompt({ scenario, limits }: Shown): SectionContent[] {
  if (!scenario?.system_prompt) return [];
  return [
    single('Scenario System Prompt', {
      label: 'system prompt',
      text: scenario.system_prompt,
      max: limits.systemPrompt,
    }),
  ];
}

function tools({ scenario, limits }: Shown): SectionContent[] {
  if (!scenario?.tools || scenario.tools.length === 0) return [];
  return [single('Available Tools', { label: 'tools', text: toolList(scenario.tools), max: limits.systemPrompt })];
}

function task({ trace, scenario, limits }: Shown): SectionContent[] {
  const { messages, reported } = judgedTask(trace, scenario);
  return [
    taskMessages("User's Task", 'task', messages, limits),
    ...(reported === null
      ? []
      : [
          {
            ...taskMessages('Task as the Agent Reported It', 'task as the agent reported it', reported, limits),
            note: "The agent's record has these messages of the user, which are not what it was given. The task above is the real one.",
          },
        ]),
  ];
}

function taskMessages(title: string, label: string, texts: readonly string[], limits: ContextLimits): SectionContent {
  return {
    title,
    count: texts.length,
    piece: (index) => ({
      parts: [
        {
          label: texts.length === 1 ? label : `${label}, message ${index + 1} of ${texts.length}`,
          text: texts[index] ?? '',
          max: limits.message,
        },
      ],
    }),
    noun: 'message',
    whenEmpty: '(unknown)',
  };
}

function response({ trace, limits }: Shown): SectionContent {
  return {
    ...single("Agent's Final Response", { label: 'final response', text: trace.final_content, max: limits.response }),
    note: trace.max_turns_hit ? 'The agent was still at work when its turns were used up.' : undefined,
  };
}

function toolCalls({ trace, scenario, sections, limits }: Shown): SectionContent {
  const calls = trace.tool_calls_made;
  const withArguments = sections.includes('tool_calls');
  const withResults = sections.includes('tool_results');
  return {
    title: 'Tool Calls Made',
    count: calls.length,
    piece(index) {
      const call = calls[index];
      if (!call) return { parts: [] };
      const number = index + 1;
      const text = withArguments ? `${call.name}(${toolArgumentsText(call.arguments)})` : call.name;
      const result: Part = {
        label: `tool result ${number}`,
        text: call.result,
        max: limits.result,
        whenEmpty: call.result === null ? '(the call was not answered)' : undefined,
      };
      return {
        heading: `Call ${number}, turn ${call.turn}${call.is_error ? ', answered with an error' : ''}${seenBy(call)}`,
        parts: [{ label: `tool call ${number}`, text, max: limits.arguments }, ...(withResults ? [result] : [])],
      };
    },
    noun: 'call',
    whenEmpty: noToolCalls(toolsKnown(trace, scenario)),
  };
}

/** Traces of earlier versions do not say it. */
function seenBy({ seen, agent }: ToolCallRecord): string {
  if (seen === 'requested') return ', requested, but not executed as far as is known';
  if (seen !== 'reported') return '';
  return `, reported by the agent, not observed${agent ? '; the tool is an agent, and its own calls were not seen' : ''}`;
}

function conversation({ trace, limits }: Shown): SectionContent {
  const messages = trace.messages.filter(({ role }) => role !== 'system');
  return {
    title: 'Conversation',
    count: messages.length,
    piece(index) {
      const message = messages[index];
      return message
        ? { heading: `Message ${index + 1}`, parts: messageParts(message, index + 1, limits) }
        : { parts: [] };
    },
    noun: 'message',
    whenEmpty: '(no messages)',
  };
}

function messageParts(message: Message, number: number, limits: ContextLimits): Part[] {
  if (message.role === 'tool_result') {
    return [{ label: `tool result in message ${number}`, text: message.content, max: limits.result }];
  }
  const author = message.role === 'assistant' ? 'agent' : message.role;
  const text: Part = { label: `${author} in message ${number}`, text: message.content, max: limits.message };
  const calls = message.role === 'assistant' ? message.tool_calls : [];
  return [
    ...(calls.length > 0 && !message.content ? [] : [text]),
    ...calls.map((call, index) => ({
      label: `tool call ${index + 1} in message ${number}`,
      text: `${call.name}(${call.raw_arguments ?? toolArgumentsText(call.arguments)})`,
      max: limits.arguments,
    })),
  ];
}

function single(title: string, part: Part): SectionContent {
  return { title, count: 1, piece: () => ({ parts: [part] }), noun: 'part', whenEmpty: '(empty)' };
}
