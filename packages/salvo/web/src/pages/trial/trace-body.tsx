import { type ReactNode, useMemo } from 'react';
import type { AssertionView } from '../../../../src/app/view/trial/assertion-view.ts';
import type { TraceHead } from '../../../../src/app/view/trial/trial-view.ts';
import { useMessages } from './api.ts';
import { Conversation, type ConversationSearch } from './conversation.tsx';
import { StateChanges } from './state-changes.tsx';
import styles from './trial-page.module.css';
import { Waterfall } from './waterfall.tsx';
import { Workspace } from './workspace.tsx';

interface TraceBodyProps {
  trace: TraceHead;
  assertions: readonly AssertionView[];
  place: string | null;
  search: ConversationSearch;
  hrefOf: (place: string) => string;
  aside: ReactNode;
}

/** A trace: when what happened, and the conversation, with something beside it. */
export function TraceBody({ trace, assertions, place, search, hrefOf, aside }: TraceBodyProps) {
  const { messages, problem } = useMessages(trace.trace_id);
  const firstOfTurn = useMemo(() => {
    const answers = messages.filter(({ role, turn }) => role === 'assistant' && turn > 0);
    return new Map(answers.toReversed().map(({ turn, index }) => [turn, index]));
  }, [messages]);
  const hrefOfTurn = (turn: number): string | null => {
    const index = firstOfTurn.get(turn);
    return index === undefined ? null : hrefOf(String(index + 1));
  };
  return (
    <>
      <Waterfall trace={trace} hrefOfTurn={hrefOfTurn} />
      {trace.state && <StateChanges view={trace.state} />}
      {trace.environment && <Workspace view={trace.environment} />}
      <div className={aside === null ? undefined : styles.columns}>
        <Conversation {...{ trace, messages, assertions, place, search, problem }} />
        {aside !== null && <div className={styles.aside}>{aside}</div>}
      </div>
    </>
  );
}
