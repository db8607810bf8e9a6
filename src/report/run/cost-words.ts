import { formatMoney } from '../terminal/format.ts';

interface Cost {
  /** Null when part of it is unknown. */
  usd: number | null;
  /** As far as it is known. */
  known?: number | undefined;
}

/** What agents cost, and apart from it what judges did: `$0.0137 + $0.0021 judges`. Judges that cost nothing go unsaid. */
export function costWords(agent: Cost, judges: Cost): string {
  const words = agent.usd === null ? `cost unknown${atLeast(agent)}` : formatMoney(agent.usd);
  if (judges.usd === 0) return words;
  return `${words} + ${judges.usd === null ? `judges unknown${atLeast(judges)}` : `${formatMoney(judges.usd)} judges`}`;
}

function atLeast({ known = 0 }: Cost): string {
  return known > 0 ? ` (at least ${formatMoney(known)})` : '';
}
