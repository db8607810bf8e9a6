import { useState } from 'react';
import { useWholeMessage } from '../pages/trial/api.ts';
import { visibleText } from '../visible-text.ts';
import styles from './agent-text.module.css';

const FIRST_SHOWN = 4000;

/** Text that an agent, a tool or a judge wrote: always text, with control characters made visible, and not too much. */
export function AgentText({
  text,
  full_length = text.length,
  whole,
  isCode = false,
}: {
  text: string;
  full_length?: number;
  /** Where the rest of a shortened text is. */
  whole?: { traceId: string; index: number };
  isCode?: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  const rest = useWholeMessage(
    whole?.traceId ?? '',
    whole?.index ?? 0,
    isOpen && whole !== undefined && full_length > text.length,
  );
  const all = rest.data?.text ?? text;
  const shown = isOpen ? all : text.slice(0, FIRST_SHOWN);
  const isLong = full_length > FIRST_SHOWN;
  return (
    <div className={styles.text}>
      <pre className={isCode ? styles.code : styles.prose}>{visibleText(shown)}</pre>
      {isLong && (
        <button type="button" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? 'Show less' : `Show all ${full_length.toLocaleString('en')} characters`}
        </button>
      )}
    </div>
  );
}
