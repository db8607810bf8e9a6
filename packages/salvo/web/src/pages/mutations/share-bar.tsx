import type { MutantShare } from '../../../../src/mutate/mutate-document.ts';
import { formatInterval, formatPercent } from '../../../../src/stats/format.ts';
import { IntervalBar } from '../../parts/interval-bar.tsx';

/** A share of mutants, with its interval over cases if there are several. */
export function ShareBar({ share }: { share: MutantShare }) {
  if (!share) return '—';
  const interval = share.cases > 1 ? share.interval : null;
  const text = `${formatPercent(share.value)}${interval ? `, 95% interval ${formatInterval(interval)}` : ''}`;
  return (
    <IntervalBar
      value={share.value}
      interval={interval}
      range={[0, 1]}
      width={96}
      height={12}
      text={text}
      before={<strong>{formatPercent(share.value)}</strong>}
    />
  );
}
