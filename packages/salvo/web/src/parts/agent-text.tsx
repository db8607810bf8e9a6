import { useState } from 'react';
import type { MessageView } from '../../../src/app/view/trial/message-view.ts';
import type { PlaceMeaning } from '../../../src/app/view/trial/trace-places.ts';
import { formatCount } from '../../../src/stats/format.ts';
import { useWholeMessage } from '../pages/trial/api.ts';
import { visibleText } from '../visible-text.ts';
import styles from './agent-text.module.css';

const [FIRST_SHOWN, FIRST_CODE, STEP] = [4000, 1500, 100_000];

/** A part of a text that is highlighted. */
export interface TextMark {
  start: number;
  end: number;
  meaning: PlaceMeaning | 'searched';
  title?: string;
}

interface AgentTextProps {
  text: string;
  full_length?: number;
  /** Where the rest of a shortened text is. `call` is the position of a tool call, if the text is its arguments. */
  whole?: { traceId: string; index: number; part?: 'content' | 'reasoning' | { call: number } };
  isCode?: boolean;
  marks?: readonly TextMark[];
  /** Shows at least so many characters at once. */
  atLeast?: number;
}

/**
 * Text that an agent, a tool or a judge wrote: always text, with control characters made visible. A long one is shown in
 * steps, because a browser would freeze on a line of megabytes.
 */
export function AgentText({
  text,
  full_length = text.length,
  whole,
  isCode = false,
  marks = [],
  atLeast = 0,
}: AgentTextProps) {
  const [opened, setOpened] = useState(0);
  const first = isCode ? FIRST_CODE : FIRST_SHOWN;
  const length = Math.max(first, opened, Math.min(atLeast, 2 * STEP));
  const rest = useWholeMessage(
    whole?.traceId ?? '',
    whole?.index ?? 0,
    whole !== undefined && length > text.length && full_length > text.length,
  );
  const all = (rest.data && partOf(rest.data, whole?.part)) ?? text;
  const shown = wellCut(all, length);
  const left = full_length - shown.length;
  return (
    <div className={styles.text}>
      <pre className={isCode ? styles.code : styles.prose}>
        <MarkedText text={shown} marks={marks} />
        {left > 0 && <span className="soft">…</span>}
      </pre>
      {full_length > first && (
        <div className={styles.more}>
          {left > 0 && (
            <button type="button" onClick={() => setOpened(length + STEP)} disabled={rest.isFetching}>
              {left <= STEP
                ? `Show all ${formatCount(full_length)} characters`
                : `Show ${formatCount(STEP)} more of ${formatCount(full_length)} characters`}
            </button>
          )}
          {opened > 0 && (
            <button type="button" onClick={() => setOpened(0)}>
              Show less
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Where marks overlap, the most important one is shown. */
const IMPORTANCE: readonly TextMark['meaning'][] = ['searched', 'forbidden', 'found', 'cited', 'examined'];

function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  const shown = marks.filter(({ end }) => end <= text.length);
  if (shown.length === 0) return visibleText(text);
  const borders = [...new Set([0, ...shown.flatMap(({ start, end }) => [start, end]), text.length])].toSorted(
    (a, b) => a - b,
  );
  return borders.slice(0, -1).map((start, index) => {
    const part = visibleText(text.slice(start, borders[index + 1]));
    const [mark] = shown
      .filter((each) => each.start <= start && start < each.end)
      .toSorted((a, b) => IMPORTANCE.indexOf(a.meaning) - IMPORTANCE.indexOf(b.meaning));
    if (!mark) return part;
    return (
      <mark key={start} className={styles[mark.meaning]} title={mark.title}>
        {part}
      </mark>
    );
  });
}

function partOf(message: MessageView, part: NonNullable<AgentTextProps['whole']>['part'] = 'content'): string | null {
  if (typeof part === 'object') return message.tool_calls[part.call]?.arguments.text ?? null;
  return message[part]?.text ?? null;
}

/** Never half of a surrogate pair. */
function wellCut(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) && cut.length < text.length ? cut.slice(0, -1) : cut;
}
