import type { AssignmentCase } from './assignment-cases.ts';

/** Tries every pairing. */
export function bestOfAll({ candidates, sizes }: AssignmentCase): { total: number; pairs: number } {
  const taken = new Set<number>();
  const from = (vulnerability: number): { total: number; pairs: number } => {
    if (vulnerability === sizes.vulnerabilities) return { total: 0, pairs: 0 };
    let best = from(vulnerability + 1);
    for (const candidate of candidates) {
      if (candidate.vulnerability !== vulnerability || taken.has(candidate.finding)) continue;
      taken.add(candidate.finding);
      const rest = from(vulnerability + 1);
      taken.delete(candidate.finding);
      const total = rest.total + Math.round(candidate.score * 1e9);
      const pairs = rest.pairs + 1;
      if (total > best.total || (total === best.total && pairs > best.pairs)) best = { total, pairs };
    }
    return best;
  };
  return from(0);
}

/** The Hungarian algorithm of textbooks on a square matrix with extra rows and columns for staying unpaired. */
export function hungarianTotal({ candidates, sizes }: AssignmentCase): number {
  const size = sizes.vulnerabilities + sizes.findings;
  const cost = Array.from({ length: size + 1 }, () => new Array<number>(size + 1).fill(0));
  for (const { vulnerability, finding, score } of candidates) {
    const row = cost[vulnerability + 1];
    if (row) row[finding + 1] = -Math.round(score * 1e9);
  }
  const at = (list: readonly number[] | undefined, index: number): number => list?.[index] ?? 0;
  const [u, v, owner, way] = [0, 0, 0, 0].map(() => new Array<number>(size + 1).fill(0));
  if (!u || !v || !owner || !way) throw new Error('unreachable');
  for (let row = 1; row <= size; row += 1) {
    owner[0] = row;
    let column = 0;
    const least = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY);
    const used = new Array<boolean>(size + 1).fill(false);
    do {
      used[column] = true;
      const current = at(owner, column);
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= size; other += 1) {
        if (used[other]) continue;
        const reduced = at(cost[current], other) - at(u, current) - at(v, other);
        if (reduced < at(least, other)) {
          least[other] = reduced;
          way[other] = column;
        }
        if (at(least, other) < delta) {
          delta = at(least, other);
          next = other;
        }
      }
      for (let other = 0; other <= size; other += 1) {
        if (used[other]) {
          u[at(owner, other)] = at(u, at(owner, other)) + delta;
          v[other] = at(v, other) - delta;
        } else {
          least[other] = at(least, other) - delta;
        }
      }
      column = next;
    } while (at(owner, column) !== 0);
    for (; column !== 0; column = at(way, column)) owner[column] = at(owner, at(way, column));
  }
  return owner.reduce((sum, row, column) => sum - (column === 0 ? 0 : at(cost[row], column)), 0);
}
