/** A number of a beta distribution with the given mean; `alike` is the correlation of two draws of one cluster. */
export function drawBeta(random: () => number, { mean, alike }: { mean: number; alike: number }): number {
  if (alike <= 0 || mean <= 0 || mean >= 1) return mean;
  const size = 1 / alike - 1;
  const a = drawGamma(random, mean * size);
  return a / (a + drawGamma(random, (1 - mean) * size));
}

/** How many of `total` succeed. */
export function drawCount(random: () => number, { chance, total }: { chance: number; total: number }): number {
  let count = 0;
  for (let each = 0; each < total; each += 1) if (random() < chance) count += 1;
  return count;
}

/** Marsaglia and Tsang (2000). */
function drawGamma(random: () => number, shape: number): number {
  if (shape < 1) return drawGamma(random, shape + 1) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const normal = drawNormal(random);
    const v = (1 + c * normal) ** 3;
    if (v > 0 && Math.log(1 - random()) < normal ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box and Muller (1958). */
export function drawNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
