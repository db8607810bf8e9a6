import badges from '../../parts/verdict-badge.module.css';
import type { GameOutcome } from './game-filter.ts';

const SHOWN: Record<GameOutcome, { look: string; sign: string }> = {
  'all found': { look: 'pass', sign: '✓' },
  'some found': { look: 'running', sign: '◐' },
  'none found': { look: 'fail', sign: '✕' },
  failed: { look: 'unscored', sign: '?' },
};

/** How a game went for Blue. `failed`: it could not be scored. */
export function GameOutcomeBadge({ outcome }: { outcome: GameOutcome }) {
  const { look, sign } = SHOWN[outcome];
  return (
    <span className={`${badges.badge} ${badges[look]}`}>
      <span aria-hidden="true">{sign}</span> {outcome}
    </span>
  );
}
