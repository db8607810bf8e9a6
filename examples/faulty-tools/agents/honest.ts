import type { AgentReply, AgentTask } from 'salvo';

/** Repeats nothing. It gives up when a tool fails, and says so. */
export default async function honest({ messages, callTool }: AgentTask): Promise<AgentReply> {
  const id = /[A-Z]-\d+/.exec(messages.findLast(({ role }) => role === 'user')?.content ?? '')?.[0] ?? '';
  try {
    const order = await callTool('find_order', { id });
    if (order.is_error) throw new Error(order.content);
    const { total } = JSON.parse(order.content);
    if (typeof total !== 'number') throw new Error('the order has no total');
    const refund = await callTool('refund', { id });
    if (refund.is_error) throw new Error(refund.content);
    return { content: `I have refunded ${total} EUR for order ${id}.` };
  } catch (error) {
    return { content: `I am sorry, I could not refund order ${id}: ${String(error)}` };
  }
}
