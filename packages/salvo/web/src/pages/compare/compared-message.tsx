import { useMemo, useState } from 'react';
import type { MessageView } from '../../../../src/app/view/trial/message-view.ts';
import { formatCount } from '../../../../src/stats/format.ts';
import { type TextPart, wordDifference } from '../../../../src/text/words/word-difference.ts';
import text from '../../parts/agent-text.module.css';
import { AgentText } from '../../parts/agent-text.tsx';
import { visibleText } from '../../visible-text.ts';
import { MessageFiles } from '../trial/message-files.tsx';
import styles from './compared-message.module.css';

const NAMES: Record<MessageView['role'], string> = {
  system: 'System',
  user: 'User',
  assistant: 'Agent',
  tool_result: 'Tool result',
};

type Loaded = MessageView | 'loading' | null;

interface ComparedMessageProps {
  message: Loaded;
  other: Loaded;
  side: 'base' | 'next';
  isSame: boolean;
  traceId: string;
}

/** A message, with the words marked that the message beside it does not have. */
export function ComparedMessage({ message, other, side, isSame, traceId }: ComparedMessageProps) {
  if (message === null) return <div className={styles.none}>nothing here</div>;
  if (message === 'loading') return <div className={styles.none}>not loaded yet</div>;
  const { role, index, tool, content, tool_calls } = message;
  const partner = other === 'loading' ? null : other;
  return (
    <article className={`${styles.message} ${styles[role]}`} aria-label={`${NAMES[role]}, message ${index + 1}`}>
      <header className={styles.who}>
        {index + 1} · {NAMES[role]}
        {tool && ` of ${visibleText(tool.name)}`}
        {tool?.is_error && ' (error)'}
      </header>
      {isSame || partner === null ? (
        content && content.full_length > 0 && <AgentText {...content} whole={{ traceId, index }} />
      ) : (
        <DifferingText own={content?.text ?? ''} other={partner.content?.text ?? ''} side={side} />
      )}
      <MessageFiles {...{ message, traceId }} />
      {tool_calls.map((call, position) => {
        const theirs = partner?.tool_calls[position];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an agent may use the same id twice.
          <div key={position} className={styles.call}>
            <div>
              calls <code>{visibleText(call.name)}</code>
            </div>
            {isSame || !theirs ? (
              <AgentText {...call.arguments} whole={{ traceId, index }} isCode />
            ) : (
              <DifferingText own={call.arguments.text} other={theirs.arguments.text} side={side} isCode />
            )}
          </div>
        );
      })}
    </article>
  );
}

const FIRST_SHOWN = 4000;

interface DifferingTextProps {
  own: string;
  other: string;
  side: 'base' | 'next';
  isCode?: boolean;
}

/** A text, with the words marked that the other does not have. */
export function DifferingText({ own, other, side, isCode = false }: DifferingTextProps) {
  const [isOpen, setOpen] = useState(false);
  const parts = useMemo(
    () => (side === 'base' ? wordDifference(own, other).base : wordDifference(other, own).next),
    [own, other, side],
  );
  if (own === '') return null;
  const shown = isOpen ? parts : beginning(parts, FIRST_SHOWN);
  const Mark = side === 'base' ? 'del' : 'ins';
  return (
    <>
      <pre className={isCode ? text.code : text.prose}>
        {shown.map(({ text: words, differs }, position) =>
          differs ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places.
            <Mark key={position} className={styles[side]}>
              {visibleText(words)}
            </Mark>
          ) : (
            visibleText(words)
          ),
        )}
      </pre>
      {own.length > FIRST_SHOWN && (
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show ${formatCount(own.length)} characters`}
        </button>
      )}
    </>
  );
}

function beginning(parts: readonly TextPart[], most: number): TextPart[] {
  const shown: TextPart[] = [];
  let left = most;
  for (const { text, differs } of parts) {
    if (left <= 0) break;
    shown.push({ text: text.slice(0, left), differs });
    left -= text.length;
  }
  return shown;
}
