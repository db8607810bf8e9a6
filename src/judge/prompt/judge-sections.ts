import type { CONTEXT_SECTIONS } from '../../scenario/schema/assertion-schema.ts';

/** A part of a trial that a judge can see. */
export type ContextSection = (typeof CONTEXT_SECTIONS)[number];

/** The order in which sections are shown. */
const SECTION_ORDER: readonly ContextSection[] = [
  'system_prompt',
  'tools',
  'task',
  'response',
  'tool_calls',
  'tool_results',
  'conversation',
];

/** Enough to check what the agent claims against what it was asked and what its tools returned. */
const DEFAULT_SECTIONS: readonly ContextSection[] = ['task', 'response', 'tool_calls', 'tool_results'];

/** The sections an assertion asks for, each once and in the order in which they are shown. */
export function sectionsFor(
  sections?: readonly ContextSection[] | undefined,
  includeSystemPrompt = false,
): ContextSection[] {
  const wanted = new Set<ContextSection>(sections ?? DEFAULT_SECTIONS);
  if (includeSystemPrompt) wanted.add('system_prompt').add('tools');
  return SECTION_ORDER.filter((section) => wanted.has(section));
}
