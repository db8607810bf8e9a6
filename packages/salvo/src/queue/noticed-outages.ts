import type { Notice, WorkerDescription } from './work-queue.ts';

interface Proof {
  message: string;
  code: string;
}

/** `proof`: no request to this model can succeed. */
export type KnownOutages = (adapter: string, model: string) => { readonly proof: Proof | null };

/** A worker that has just been started may need this time to open an order, on a busy machine or with a large model. */
const OPENING_MS = 30_000;

/** What the coordinator calls pointless when no worker can reach a model. */
export function outageGroup({ adapter, model }: { adapter: string; model: string }): string {
  return groupOfKey(keyOf(adapter, model));
}

export type NoticedOutages = ReturnType<typeof createNoticedOutages>;

/** What workers found out about providers. The coordinator itself sends no request. */
export function createNoticedOutages(now: () => number = () => performance.now()) {
  const proofs = new Map<string, Proof>();
  const reports = new Map<string, { proof: Proof; at: number; by: Set<string> }>();
  const joined = new Set<string>();
  const refused = new Set<string>();
  const said = new Set<string>();

  function mayStillTry({ worker_id: id }: WorkerDescription, reportedAt: number): boolean {
    const waits = [...reports.values()].some(({ by }) => by.has(id));
    if (waits || refused.has(id)) return false;
    return joined.has(id) || now() - reportedAt < OPENING_MS;
  }

  return {
    /** Has a proof only if no worker is left that may reach the provider. */
    outageOf: ((adapter, model) => ({
      get proof() {
        return proofs.get(keyOf(adapter, model)) ?? null;
      },
    })) satisfies KnownOutages,
    /** Models that no worker can reach, as workers know them from the directions of the coordinator. */
    outGroups: (): string[] => Array.from(proofs.keys(), groupOfKey),
    add(notice: Extract<Notice, { type: 'joined' | 'outage' | 'refusal' }>): void {
      if (notice.type === 'joined') joined.add(notice.worker);
      else if (notice.type === 'refusal') refused.add(notice.worker);
      else {
        const { adapter, model, message, code, worker } = notice;
        const key = keyOf(adapter, model);
        const report = reports.get(key) ?? { proof: { message, code }, at: now(), by: new Set() };
        report.by.add(worker);
        if (!proofs.has(key)) reports.set(key, report);
      }
    },
    /**
     * A key may be wrong on one worker and right on another. So a provider is out when every worker that could take jobs
     * has said so, or waits for another provider. Returns new reasons why single workers wait.
     */
    async decide(workersNow: () => Promise<readonly WorkerDescription[]>): Promise<string[]> {
      if (reports.size === 0) return [];
      const workers = await workersNow();
      const out = [...reports].filter(([, { at }]) => !workers.some((worker) => mayStillTry(worker, at)));
      for (const [key, { proof }] of out) {
        proofs.set(key, proof);
        reports.delete(key);
      }
      return [...reports.values()].flatMap(({ proof, by }) =>
        workers.flatMap(({ worker_id, host, pid }) => {
          const line = `The worker on ${host} (process ${pid}) takes nothing more of it: ${proof.message}`;
          if (!by.has(worker_id) || said.has(line)) return [];
          said.add(line);
          return [line];
        }),
      );
    },
  };
}

function groupOfKey(key: string): string {
  return `out ${key}`;
}

function keyOf(adapter: string, model: string): string {
  return JSON.stringify([adapter, model]);
}
