import { Badge, type BadgeLook } from 'salvo/viewer-parts';
import type { GameOutcome } from './game-filter.ts';

const SHOWN: Record<GameOutcome, Omit<BadgeLook, 'name'>> = {
  'all found': { look: 'pass', sign: '✓' },
  'some found': { look: 'running', sign: '◐' },
  'none found': { look: 'fail', sign: '✕' },
  failed: { look: 'unscored', sign: '?' },
};

/** How a game went for Blue. `failed`: it could not be scored. */
export function GameOutcomeBadge({ outcome }: { outcome: GameOutcome }) {
  return <Badge name={outcome} {...SHOWN[outcome]} />;
}
