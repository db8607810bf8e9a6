import { useState } from 'react';
import type { MessageView } from '../../../src/app/view/message-view.ts';
import type { PlaceMeaning } from '../../../src/app/view/trace-places.ts';
import { useWholeMessage } from '../pages/trial/api.ts';
import { visibleText } from '../visible-text.ts';
import styles from './agent-text.module.css';

const [FIRST_SHOWN, STEP] = [4000, 100_000];

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
  const length = Math.max(FIRST_SHOWN, opened, Math.min(atLeast, 2 * STEP));
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
        {left > 0 && <span className={styles.cut}>…</span>}
      </pre>
      {full_length > FIRST_SHOWN && (
        <div className={styles.more}>
          {left > 0 && (
            <button type="button" onClick={() => setOpened(length + STEP)} disabled={rest.isFetching}>
              {left <= STEP
                ? `Show all ${full_length.toLocaleString('en')} characters`
                : `Show ${STEP.toLocaleString('en')} more of ${full_length.toLocaleString('en')} characters`}
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

/** Marks that overlap an earlier one are left out. */
function MarkedText({ text, marks }: { text: string; marks: readonly TextMark[] }) {
  if (marks.length === 0) return visibleText(text);
  const parts: (string | { mark: TextMark; text: string })[] = [];
  let done = 0;
  for (const mark of marks.toSorted((a, b) => a.start - b.start)) {
    if (mark.start < done || mark.end > text.length) continue;
    parts.push(text.slice(done, mark.start), { mark, text: text.slice(mark.start, mark.end) });
    done = mark.end;
  }
  return [...parts, text.slice(done)].map((part) =>
    typeof part === 'string' ? (
      visibleText(part)
    ) : (
      <mark key={part.mark.start} className={styles[part.mark.meaning]} title={part.mark.title}>
        {visibleText(part.text)}
      </mark>
    ),
  );
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
