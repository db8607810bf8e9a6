import type { AgentReply, AgentTask } from 'salvo';

const TRIES = 3;

/** Repeats what failed, looks whether a refund was made before it repeats that, and says so if it gives up. */
export default async function careful({ messages, callTool }: AgentTask): Promise<AgentReply> {
  const id = /[A-Z]-\d+/.exec(messages.findLast(({ role }) => role === 'user')?.content ?? '')?.[0] ?? '';
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const order = await read(callTool, id);
    if (order === null) break;
    if (order.status === 'refunded') return { content: `I have refunded ${order.total} EUR for order ${id}.` };
    const refund = await callTool('refund', { id });
    if (!refund.is_error) return { content: `I have refunded ${order.total} EUR for order ${id}.` };
  }
  return { content: `I am sorry, I could not refund order ${id}: our systems do not answer. Please try again later.` };
}

interface Order {
  status: string;
  total: number;
}

/** Null if there is no usable answer after several tries. */
async function read(callTool: AgentTask['callTool'], id: string): Promise<Order | null> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const { content, is_error } = await callTool('find_order', { id });
    const order = is_error ? null : parsed(content);
    if (order) return order;
  }
  return null;
}

function parsed(content: string): Order | null {
  try {
    const { status, total } = JSON.parse(content);
    return typeof status === 'string' && typeof total === 'number' ? { status, total } : null;
  } catch {
    return null;
  }
}
