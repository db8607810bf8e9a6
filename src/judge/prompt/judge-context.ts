import type { Fence } from '../../models/ask/fence.ts';
import { plainText } from '../../text/output/plain-text.ts';
import { cutMiddle } from '../../text/words/cut-text.ts';
import type { Trace } from '../../trace/trace.ts';
import type { JudgedScenario } from './context.ts';
import {
  type ContextLimits,
  type ContextSection,
  DEFAULT_LIMITS,
  type Piece,
  type SectionContent,
  sectionContents,
  sectionsFor,
} from './section-content.ts';

interface JudgeContextOptions {
  trace: Trace;
  scenario?: JudgedScenario | undefined;
  sections?: readonly ContextSection[] | undefined;
  includeSystemPrompt?: boolean | undefined;
  fence: Fence;
  limits?: Partial<ContextLimits> | undefined;
}

/** What the judge sees of a trial. Everything that the agent, its tools or its user wrote is inside the fence. */
export function buildJudgeContext({ trace, scenario, fence, ...options }: JudgeContextOptions): string {
  const allowed = { ...DEFAULT_LIMITS, ...options.limits };
  const sections = sectionsFor(options.sections, options.includeSystemPrompt);
  const shown = sectionContents({ trace, scenario, sections, limits: allowed });
  const sizes = shown.map((section) => sizeUpTo(section, allowed.total, fence));
  const rooms = shareOut(sizes, allowed.total);
  return shown
    .map((section, index) => {
      const [size = 0, room = 0] = [sizes[index], rooms[index]];
      return `## ${section.title}\n${body(section, fence, size <= room ? null : room)}`;
    })
    .join('\n\n');
}

/** `room` is null when the whole section fits. */
function body(section: SectionContent, fence: Fence, room: number | null): string {
  const { count, noun, note, whenEmpty } = section;
  if (count === 0) return whenEmpty;
  const first: string[] = [];
  const last: string[] = [];
  let left = room ?? Number.POSITIVE_INFINITY;
  const ends = Math.min(2, count);
  // From both ends inwards, because the beginning and the end matter most.
  for (let taken = 0; taken < count; taken += 1) {
    const fromStart = taken % 2 === 0;
    const piece = section.piece(fromStart ? first.length : count - 1 - last.length);
    // The two ends are always shown, however little room there is.
    const isEnd = taken < ends;
    const block = render(piece, fence, isEnd && room !== null ? Math.floor(room / ends) : undefined);
    if (!isEnd && block.length > left) break;
    left -= block.length;
    if (fromStart) first.push(block);
    else last.unshift(block);
  }
  const missing = count - first.length - last.length;
  const gap =
    missing > 0 ? [`(Left out for length: ${noun}s ${first.length + 1} to ${count - last.length} of ${count}.)`] : [];
  return [...first, ...gap, ...last, ...(note ? [note] : [])].join('\n\n');
}

function render({ heading, parts }: Piece, fence: Fence, room = Number.POSITIVE_INFINITY): string {
  const each = Math.floor(room / Math.max(1, parts.length));
  const blocks = parts.map(({ label, text, max, whenEmpty }) => {
    const visible = plainText(text ?? '');
    // That a text is empty is said outside the fence, where the agent cannot write.
    if (visible.trim() === '') return `${label}: ${whenEmpty ?? '(empty)'}`;
    return fence.wrap(label, cutMiddle(visible, Math.min(max, each)));
  });
  return [...(heading ? [`### ${heading}`] : []), ...blocks].join('\n');
}

/** The length of a section, counted no further than could be shown. */
function sizeUpTo(section: SectionContent, max: number, fence: Fence): number {
  let size = 0;
  for (let index = 0; index < section.count && size <= max; index += 1) {
    size += render(section.piece(index), fence).length;
  }
  return size;
}

/** Shares the total out equally. What small sections do not need goes to large ones. */
function shareOut(sizes: readonly number[], total: number): number[] {
  const rooms = new Array<number>(sizes.length).fill(0);
  let left = total;
  const bySize = [...sizes.entries()].sort(([, a], [, b]) => a - b);
  for (const [rank, [index, size]] of bySize.entries()) {
    const room = Math.min(size, Math.floor(left / (sizes.length - rank)));
    rooms[index] = room;
    left -= room;
  }
  return rooms;
}
