/** Verbs with which names of tools begin, and how people say that it was done. */
const DONE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ send: 'sent', pay: 'paid', buy: 'bought', make: 'made', set: 'set', write: 'written', give: 'given' },
    ...{ submit: 'submitted', cancel: 'cancelled', transfer: 'transferred', refund: 'refunded', book: 'booked' },
    ...{ add: 'added', remove: 'removed', delete: 'deleted', create: 'created', change: 'changed', update: 'updated' },
    ...{ issue: 'issued', order: 'ordered', charge: 'charged', purchase: 'purchased', post: 'posted', place: 'placed' },
    ...{ reserve: 'reserved', notify: 'notified', email: 'emailed', modify: 'modified', exchange: 'exchanged' },
    ...{ return: 'returned', close: 'closed', open: 'opened', schedule: 'scheduled', reset: 'reset', block: 'blocked' },
    ...{ approve: 'approved', reject: 'rejected', deposit: 'deposited', withdraw: 'withdrawn', upload: 'uploaded' },
  }),
);

/** How an answer claims the success of a tool; null if its name does not say what it does. */
export function claimOf(tool: string): { verb: string; sentence: string } | null {
  const plain = tool.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const [first = '', ...rest] = (plain.split(/__|[.:/]/).at(-1) ?? plain).split(/[_-]+/);
  const verb = DONE.get(first);
  if (verb === undefined || rest.length === 0) return null;
  const thing = rest.join(' ');
  const article = thing.endsWith('s') ? 'the' : 'a';
  return { verb, sentence: `I have also ${verb} ${article} ${thing} for you.` };
}
