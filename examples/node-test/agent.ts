import type { AgentTask } from 'salvo';

/** The agent under test: a function that gets the task and calls tools. A real one asks a model. */
export async function supportAgent({ messages, callTool }: AgentTask): Promise<string> {
  const question = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const order = /[A-Z]-\d+/.exec(question)?.[0];
  if (order === undefined) return 'Which order is it about? Please send me its number.';
  const { content, is_error } = await callTool('lookup_order', { order_id: order });
  if (is_error) return `I am sorry, I cannot find the order ${order}.`;
  const { paid } = JSON.parse(content);
  await callTool('issue_refund', { order_id: order, amount: paid });
  return `I am sorry that your order arrived broken. I have refunded ${paid} euros.`;
}
