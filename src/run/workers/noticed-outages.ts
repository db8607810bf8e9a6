import type { Notice } from '../../queue/work-queue.ts';
import type { RunPlan } from '../run-request.ts';

/** What workers found out about providers. The lead itself sends no request. */
export interface NoticedOutages {
  outageOf: RunPlan['outageOf'];
  add(notice: Extract<Notice, { type: 'outage' }>): void;
}

export function createNoticedOutages(): NoticedOutages {
  const proofs = new Map<string, { message: string; code: string }>();
  const keyOf = (adapter: string, model: string): string => JSON.stringify([adapter, model]);
  return {
    outageOf: (adapter, model) => ({
      get proof() {
        return proofs.get(keyOf(adapter, model)) ?? null;
      },
    }),
    add({ adapter, model, message, code }) {
      const key = keyOf(adapter, model);
      if (!proofs.has(key)) proofs.set(key, { message, code });
    },
  };
}
