import { contentHash } from 'salvo/kit/text';
import type { BlueOutcome, BlueTeam } from '../blue/blue-team.ts';

/** Twins of one template in a row are often the same. Older ones are forgotten, so that memory stays flat. */
const MOST_REMEMBERED = 50;

/**
 * A Blue that looks once at the same code, however many games are played on it. Only for a Blue that always reports the
 * same on the same code. A look that failed is not remembered.
 */
export function withRememberedLooks(blue: BlueTeam): BlueTeam {
  const looks = new Map<string, Promise<BlueOutcome>>();
  return {
    name: blue.name,
    analyze(request) {
      const key = contentHash([request.files, request.language ?? null]);
      const known = looks.get(key);
      if (known) return known;
      const look = blue.analyze(request);
      looks.set(key, look);
      look.catch(() => looks.delete(key));
      const [oldest] = looks.keys();
      if (looks.size > MOST_REMEMBERED && oldest !== undefined) looks.delete(oldest);
      return look;
    },
  };
}
