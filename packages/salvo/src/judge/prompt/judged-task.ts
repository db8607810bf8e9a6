import { textWithMarkers, withoutMarkers } from '../../trace/files/message-file.ts';
import type { Message } from '../../trace/message.ts';
import { isSameText } from '../../trace/same-text.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from './context.ts';

export interface JudgedTask {
  /** Every message of the user: those of the scenario and what its simulated user said, else those of the trace. */
  messages: string[];
  /** The messages of the user in the trace, where they are not what the scenario says; else null. */
  reported: string[] | null;
}

/**
 * The task that a judge sees. An agent that returns its own trace can write any task into it, so the scenario's counts.
 * Messages may be missing in the trace: the turns were used up, or the agent returned its last turn only.
 */
export function judgedTask(
  trace: Pick<Trace, 'messages' | 'simulated_user'>,
  scenario: JudgedScenario | undefined,
): JudgedTask {
  const reported = userTexts(trace.messages);
  const given = [...(scenario ? scenarioTask(scenario) : []), ...simulatedTexts(trace)];
  if (given.length === 0) return { messages: withMarkers(reported, trace.messages), reported: null };
  const shown = withMarkers(given, trace.messages);
  return { messages: shown, reported: isPartOf(reported.map(withoutMarkers), given) ? null : reported };
}

/** The judge reads that there were files, which it does not see. The trace has them beside the text that they belong to. */
function withMarkers(given: readonly string[], messages: readonly Message[]): string[] {
  return given.map((content) => {
    const sent = messages.find((message) => message.role === 'user' && message.files && message.content === content);
    return sent?.role === 'user' ? textWithMarkers(sent) : content;
  });
}

/** Whether every message was given, in this order. */
function isPartOf(reported: readonly string[], given: readonly string[]): boolean {
  let next = 0;
  for (const text of reported) {
    const found = given.findIndex((message, index) => index >= next && isSameText(text, message));
    if (found < 0) return false;
    next = found + 1;
  }
  return true;
}

/** The scenario without its task, for a trace that has its own. */
export function withoutTask(scenario: JudgedScenario): JudgedScenario {
  return { ...scenario, prompt: undefined, messages: undefined };
}

function scenarioTask({ prompt, messages }: JudgedScenario): string[] {
  return messages ? userTexts(messages) : prompt ? [prompt] : [];
}

/** What the simulated user said, also where the agent reported it in other words. */
function simulatedTexts({ messages, simulated_user }: Pick<Trace, 'messages' | 'simulated_user'>): string[] {
  if (!simulated_user) return [];
  return simulated_user.said ?? userTexts(messages.filter((each) => each.role === 'user' && each.simulated === true));
}

/** `files` of a scenario's messages are not the files themselves, and say nothing here. */
function userTexts(messages: readonly Pick<Message, 'role' | 'content'>[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content ?? '');
}
