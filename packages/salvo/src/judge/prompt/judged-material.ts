import { fillTemplate, oneLine } from '../../models/ask/prompts.ts';
import type { CriterionLike } from '../../scenario/schema/criterion-schema.ts';
import type { Turn, WhenTooLong } from '../../scenario/schema/shared-fields.ts';
import { formatCount } from '../../stats/format.ts';
import { dataFile } from '../../text/modules/data-file.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from './context.ts';
import { characterCount, cutSections } from './cut-sections.ts';
import { dividedSections } from './divide-sections.ts';
import { judgedTurn } from './judged-turn.ts';
import type { LeftOut } from './left-out.ts';
import { type ContextSection, sectionContents, sectionsFor } from './section-content.ts';
import { type ShownPart, type ShownSection, sectionSize, wholeSection } from './shown-part.ts';

export interface JudgedInput {
  criteria: readonly CriterionLike[];
  trace: Trace;
  /** Its task counts, not the one in the trace, which the agent may have written itself. */
  scenario?: JudgedScenario | undefined;
  sections?: readonly ContextSection[] | undefined;
  includeSystemPrompt?: boolean | undefined;
  /** Which of the agent's answers is judged; the last one when missing. */
  turn?: Turn | undefined;
  /** `parts` when missing. */
  whenTooLong?: WhenTooLong | undefined;
}

/** What the judge sees of a trial, in one part or several. */
export interface JudgedMaterial {
  /** Empty when the judge is not asked. */
  parts: ShownPart[];
  /** Of everything that there is to see, with titles and fences. */
  characters: number;
  /** Of one part. */
  limit: number;
  leftOut: LeftOut[];
  /** Why the judge is not asked; null when it is. */
  refusal: string | null;
}

/** An agent that writes without end must not cost thousands of votes. */
const MOST_PARTS = 100;
const PART_TEMPLATE = dataFile(import.meta.url, './judge-part.md').trim();

/** Decides what the judge sees. Nothing is left out without being listed in `leftOut`. */
export function judgedMaterial(input: JudgedInput, limit: number): JudgedMaterial {
  const { whenTooLong = 'parts' } = input;
  const { note, ...shown } = judgedTurn(input.trace, input.scenario, input.turn);
  const contents = sectionContents({
    ...shown,
    sections: sectionsFor(input.sections, input.includeSystemPrompt),
  });
  const whole = contents.map(wholeSection);
  const characters = whole.reduce((total, section) => total + sectionSize(section), 0);
  const hidden = contents.flatMap(({ pieces }) =>
    pieces.flatMap(({ texts }) => texts.flatMap((text) => (text.hidden ? [{ what: text.hidden, characters: 0 }] : []))),
  );
  const material = { characters, limit, leftOut: hidden, refusal: null };
  if (characters <= limit) return { ...material, parts: [{ note, sections: whole }] };
  const refused = (refusal: string): JudgedMaterial => {
    const all = contents.map(({ title, pieces }) => ({ what: title, characters: characterCount(pieces) }));
    return { ...material, parts: [], leftOut: all, refusal };
  };
  const size = `the judge would have to see ${formatCount(characters)} characters, and may see ${formatCount(limit)} at once`;
  switch (whenTooLong) {
    case 'unscored':
      return refused(
        `${size} (when_too_long: unscored). Raise max_context_characters, show it less with context, or set when_too_long: parts.`,
      );
    case 'cut': {
      const { sections, leftOut } = cutSections(contents, limit);
      return { ...material, parts: [{ note, sections }], leftOut: [...hidden, ...leftOut] };
    }
    case 'parts': {
      const parts = characters > limit * MOST_PARTS ? [] : dividedSections(contents, whole, limit);
      if (parts.length === 0 || parts.length > MOST_PARTS) {
        return refused(
          `${size}, which is more than ${MOST_PARTS} parts. Raise max_context_characters, show it less with context, or set when_too_long: cut.`,
        );
      }
      const titles = contents.map(({ title }) => title);
      return {
        ...material,
        parts: parts.map((sections, index) => ({
          note: [
            ...(note === null ? [] : [note]),
            partNote({ sections, whole, titles, part: index + 1, parts: parts.length, criteria: input.criteria }),
          ].join('\n\n'),
          sections,
        })),
      };
    }
  }
}

function partNote(shown: {
  sections: readonly ShownSection[];
  /** Every section with all its pieces. */
  whole: readonly ShownSection[];
  titles: readonly string[];
  part: number;
  parts: number;
  criteria: readonly CriterionLike[];
}): string {
  const { sections, titles, part, parts, criteria } = shown;
  const complete = sections.filter((section) => shown.whole.includes(section)).map(({ title }) => title);
  const missing = titles.filter((title) => !sections.some((section) => section.title === title));
  const any = criteria.filter((criterion) => criterion.parts === 'any').map(({ name }) => `"${oneLine(name)}"`);
  return fillTemplate(PART_TEMPLATE, {
    part: String(part),
    parts: String(parts),
    whole: complete.length === 0 ? '' : ` Whole, and in every part: ${complete.join(', ')}.`,
    missing: missing.length === 0 ? '' : ` Not in this part: ${missing.join(', ')}.`,
    any:
      any.length === 0
        ? ''
        : `\n- These count with their highest score instead, so that one part is enough: ${any.join(', ')}. Score how far this part alone meets them, and 0 if it shows nothing of the kind.`,
  });
}
