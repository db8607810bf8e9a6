import { useVirtualList, VirtualList } from '../../parts/virtual-list.tsx';
import { ComparedMessage } from '../compare/compared-message.tsx';
import { useMessages } from '../trial/api.ts';

/** What is to be labelled: the conversation, and nothing about how it was judged. */
export function LabelledConversation({ traceId }: { traceId: string }) {
  const { messages, isPending } = useMessages(traceId);
  const list = useVirtualList({ count: messages.length, height: 96, keyOf: (index) => `${traceId} ${index}` });
  return (
    <section aria-label="Conversation">
      {isPending && <p role="status">Loading…</p>}
      <VirtualList of={list}>
        {(index) => (
          <ComparedMessage message={messages[index] ?? null} other={null} side="base" isSame traceId={traceId} />
        )}
      </VirtualList>
    </section>
  );
}
