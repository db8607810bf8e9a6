/**
 * The q-quantile by linear interpolation (type 7, the default of R and NumPy): never outside the data.
 * Null when there is no data, or when a value is unknown.
 */
export function quantile(values: readonly (number | null)[], q: number): number | null {
  if (!(q >= 0 && q <= 1)) throw new RangeError(`a quantile lies between 0 and 1, got ${q}`);
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return null;
  const sorted = Float64Array.from(known).sort();
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return null;
  const fraction = position - Math.floor(position);
  if (fraction === 0) return below;
  return Math.min(above, Math.max(below, below + (above - below) * fraction));
}
