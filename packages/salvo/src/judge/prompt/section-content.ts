import type { CONTEXT_SECTIONS } from '../../scenario/schema/criterion-schema.ts';
import { plainText } from '../../text/output/plain-text.ts';
import { textWithMarkers } from '../../trace/files/message-file.ts';
import type { Message } from '../../trace/message.ts';
import { NESTED_TOO_DEEPLY, toolArgumentsText } from '../../trace/tool-arguments.ts';
import { toolsKnown } from '../../trace/tools-seen.ts';
import type { ToolCallRecord, Trace } from '../../trace/trace.ts';
import { type JudgedScenario, noToolCalls, toolList } from './context.ts';
import { judgedTask } from './judged-task.ts';
import type { TurnAnswer } from './judged-turn.ts';

/** A part of a trial that a judge can see. */
export type ContextSection = (typeof CONTEXT_SECTIONS)[number];

/** A text for the fence. The label and `whenEmpty` are outside of it, so they must not contain text of the agent. */
export interface ShownText {
  label: string;
  /** As a person would see it: without invisible characters. */
  text: string;
  whenEmpty: string;
  /** What cannot be shown of it, whatever its length. */
  hidden?: string | undefined;
}

/** A tool call, or a message. */
export interface Piece {
  heading?: string | undefined;
  texts: ShownText[];
}

export interface SectionContent {
  title: string;
  pieces: Piece[];
  /** What a piece is called in the note that some were left out. */
  noun: string;
  whenEmpty: string;
  note?: string | undefined;
}

interface Shown {
  trace: Trace;
  scenario: JudgedScenario | undefined;
  sections: readonly ContextSection[];
  /** The answers that are judged; the final one if null. */
  answers: readonly TurnAnswer[] | null;
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

function systemPrompt({ scenario }: Shown): SectionContent[] {
  return scenario?.system_prompt
    ? [single('Scenario System Prompt', shownText('system prompt', scenario.system_prompt))]
    : [];
}

function tools({ scenario }: Shown): SectionContent[] {
  if (!scenario?.tools || scenario.tools.length === 0) return [];
  return [single('Available Tools', shownText('tools', toolList(scenario.tools)))];
}

function task({ trace, scenario }: Shown): SectionContent[] {
  const { messages, reported } = judgedTask(trace, scenario);
  return [
    taskMessages("User's Task", 'task', messages),
    ...(reported === null
      ? []
      : [
          {
            ...taskMessages('Task as the Agent Reported It', 'task as the agent reported it', reported),
            note: "The agent's record has these messages of the user, which are not what it was given. The task above is the real one.",
          },
        ]),
  ];
}

function taskMessages(title: string, label: string, texts: readonly string[]): SectionContent {
  return {
    title,
    pieces: texts.map((text, index) => ({
      texts: [shownText(texts.length === 1 ? label : `${label}, message ${index + 1} of ${texts.length}`, text)],
    })),
    noun: 'message',
    whenEmpty: '(unknown)',
  };
}

function response({ trace, answers }: Shown): SectionContent {
  if (answers !== null) {
    return {
      title: answers.length === 1 ? "Agent's Response" : "Agent's Responses",
      pieces: answers.map(({ turn, text }) => ({ texts: [shownText(`response in turn ${turn}`, text)] })),
      noun: 'response',
      whenEmpty: '(none)',
    };
  }
  return {
    ...single("Agent's Final Response", shownText('final response', trace.final_content)),
    note: trace.max_turns_hit ? 'The agent was still at work when its turns were used up.' : undefined,
  };
}

function toolCalls({ trace, scenario, sections }: Shown): SectionContent {
  const withArguments = sections.includes('tool_calls');
  const withResults = sections.includes('tool_results');
  return {
    title: 'Tool Calls Made',
    pieces: trace.tool_calls_made.map((call, index) => {
      const number = index + 1;
      const made = withArguments
        ? callText(`tool call ${number}`, call.name, toolArgumentsText(call.arguments))
        : shownText(`tool call ${number}`, call.name);
      const missing = call.result === null ? '(the call was not answered)' : undefined;
      return {
        heading: `Call ${number}, turn ${call.turn}${call.is_error ? ', answered with an error' : ''}${seenBy(call)}`,
        texts: [made, ...(withResults ? [shownText(`tool result ${number}`, call.result, missing)] : [])],
      };
    }),
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

function conversation({ trace }: Shown): SectionContent {
  const messages = trace.messages.filter(({ role }) => role !== 'system');
  return {
    title: 'Conversation',
    pieces: messages.map((message, index) => ({
      heading: `Message ${index + 1}`,
      texts: messageTexts(message, index + 1),
    })),
    noun: 'message',
    whenEmpty: '(no messages)',
  };
}

function messageTexts(message: Message, number: number): ShownText[] {
  if (message.role === 'tool_result') return [shownText(`tool result in message ${number}`, textWithMarkers(message))];
  const author = message.role === 'assistant' ? 'agent' : message.role;
  const text = shownText(
    `${author} in message ${number}`,
    message.role === 'system' ? message.content : textWithMarkers(message),
  );
  const calls = message.role === 'assistant' ? message.tool_calls : [];
  const agent = message.role === 'assistant' ? message.agent : undefined;
  return [
    ...(agent === undefined ? [] : [shownText(`name of the agent in message ${number}`, agent)]),
    ...(calls.length > 0 && !message.content ? [] : [text]),
    ...calls.map((call, index) =>
      callText(
        `tool call ${index + 1} in message ${number}`,
        call.name,
        call.raw_arguments ?? toolArgumentsText(call.arguments),
      ),
    ),
  ];
}

function callText(label: string, name: string, args: string): ShownText {
  const text = shownText(label, `${name}(${args})`);
  return args === NESTED_TOO_DEEPLY ? { ...text, hidden: `arguments of ${label}, which are nested too deeply` } : text;
}

function shownText(label: string, text: string | null, whenEmpty = '(empty)'): ShownText {
  return { label, text: plainText(text ?? ''), whenEmpty };
}

function single(title: string, text: ShownText): SectionContent {
  return { title, pieces: [{ texts: [text] }], noun: 'part', whenEmpty: '(empty)' };
}
