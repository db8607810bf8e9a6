interface Shop {
  orders: Record<string, { status: string; total: number; note: string }>;
}

const PARAMETERS = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };

export function find_order({ id }: { id: string }, { state }: { state: Shop }) {
  return found(id, state);
}
Object.assign(find_order, { description: 'An order by its id.', parameters: PARAMETERS, effect: 'read' });

export function refund({ id }: { id: string }, { state }: { state: Shop }) {
  const order = found(id, state);
  if (order.status === 'refunded') throw new Error(`Order ${id} is refunded already.`);
  order.status = 'refunded';
  return { refunded: order.total };
}
Object.assign(refund, { description: 'Refunds an order.', parameters: PARAMETERS, effect: 'write' });

function found(id: string, { orders }: Shop) {
  const order = orders[id];
  if (!order) throw new Error(`There is no order ${id}.`);
  return order;
}
