import { formatCount } from '../../stats/format.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from '../prompt/context.ts';
import { cutSections } from '../prompt/cut-sections.ts';
import type { JudgedInput } from '../prompt/judged-material.ts';
import { judgedTurn } from '../prompt/judged-turn.ts';
import type { LeftOut } from '../prompt/left-out.ts';
import { type ContextSection, type SectionContent, sectionContents, sectionsFor } from '../prompt/section-content.ts';
import { type ShownPart, sectionSize, wholeSection } from '../prompt/shown-part.ts';

/** Two answers to one task, and how they are shown. */
export interface PairedInput extends Pick<JudgedInput, 'sections' | 'includeSystemPrompt' | 'turn' | 'whenTooLong'> {
  trace: Trace;
  other: Trace;
  scenario?: JudgedScenario | undefined;
  /** One of the answers is a text alone, so nothing but texts is compared. */
  textsOnly?: boolean | undefined;
}

/** What the judge sees of two answers, in both orders. */
export interface PairMaterial {
  /** With the trial's own answer as A, and with the other one as A; empty if the judge is not asked. */
  orders: ShownPart[];
  characters: number;
  limit: number;
  leftOut: LeftOut[];
  /** Why the judge is not asked; null if it is. */
  refusal: string | null;
  /** Nothing that is shown tells the two apart. */
  isSame: boolean;
}

/** Sections that are about the task, and not about an answer. */
const OF_TASK: readonly ContextSection[] = ['system_prompt', 'tools', 'task'];
/** What a text alone has. */
const OF_TEXT: readonly ContextSection[] = [...OF_TASK, 'response'];

/** Decides what the judge sees. The two answers are called A and B, and nothing says which one is the trial's. */
export function pairMaterial(input: PairedInput, limit: number): PairMaterial {
  const wanted = sectionsFor(input.sections, input.includeSystemPrompt);
  const sections = input.textsOnly ? wanted.filter((each) => OF_TEXT.includes(each)) : wanted;
  // What simulated users say differs from trial to trial, and is a part of each answer then.
  const isSimulated = [input.trace, input.other].some(({ simulated_user }) => simulated_user !== undefined);
  const isCommon = (section: ContextSection) => OF_TASK.includes(section) && !(isSimulated && section === 'task');
  const task = sectionContents({
    ...{ trace: input.trace, scenario: input.scenario, answers: null },
    sections: sections.filter(isCommon),
  }).filter(({ title }) => title !== REPORTED_TASK);
  const own = sections.filter((section) => !isCommon(section));
  const answers = [input.trace, input.other].map((trace) => {
    const { note: _, ...shown } = judgedTurn(trace, input.scenario, input.turn);
    return sectionContents({ ...shown, sections: own });
  });
  const [first = [], second = []] = answers;
  const orders = [
    [...task, ...lettered(first, 'A'), ...lettered(second, 'B')],
    [...task, ...lettered(second, 'A'), ...lettered(first, 'B')],
  ];
  const characters = (orders[0] ?? []).map(wholeSection).reduce((sum, section) => sum + sectionSize(section), 0);
  const material = { characters, limit, leftOut: [], refusal: null, isSame: textOf(first) === textOf(second) };
  if (characters <= limit) {
    return { ...material, orders: orders.map((contents) => ({ note: null, sections: contents.map(wholeSection) })) };
  }
  if (input.whenTooLong !== 'cut') {
    const refusal = `the judge would have to see ${formatCount(characters)} characters of both answers, and may see ${formatCount(limit)} at once. Raise max_context_characters, show it less with context, or set when_too_long: cut.`;
    return { ...material, orders: [], refusal };
  }
  const cut = orders.map((contents) => cutSections(contents, limit));
  return {
    ...material,
    orders: cut.map(({ sections: shown }) => ({ note: null, sections: shown })),
    leftOut: cut[0]?.leftOut ?? [],
  };
}

/** An agent may report another task than it was given. The judge of a pair sees the real one only. */
const REPORTED_TASK = 'Task as the Agent Reported It';

function lettered(contents: readonly SectionContent[], letter: 'A' | 'B'): SectionContent[] {
  return contents.map((content) => ({
    ...content,
    title: `Answer ${letter}: ${content.title}`,
    pieces: content.pieces.map(({ heading, texts }) => ({
      heading,
      texts: texts.map((text) => ({ ...text, label: `${text.label} of answer ${letter}` })),
    })),
  }));
}

function textOf(contents: readonly SectionContent[]): string {
  return JSON.stringify(contents);
}
