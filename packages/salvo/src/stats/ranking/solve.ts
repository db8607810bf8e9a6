/** The inverse of a symmetric positive definite matrix, by Gauss and Jordan. */
export function inverse(matrix: readonly (readonly number[])[]): number[][] {
  const size = matrix.length;
  const rows = matrix.map((row, at) => [...row, ...row.map((_, column) => Number(column === at))]);
  for (let pivot = 0; pivot < size; pivot += 1) {
    const own = rows[pivot] ?? [];
    const by = own[pivot] ?? 0;
    if (Math.abs(by) < 1e-12) throw new RangeError('the matrix has no inverse');
    for (let column = 0; column < own.length; column += 1) own[column] = (own[column] ?? 0) / by;
    for (const [index, row] of rows.entries()) {
      const factor = row[pivot] ?? 0;
      if (index === pivot || factor === 0) continue;
      for (let column = 0; column < row.length; column += 1) {
        row[column] = (row[column] ?? 0) - factor * (own[column] ?? 0);
      }
    }
  }
  return rows.map((row) => row.slice(size));
}

/** A matrix times a vector. */
export function times(matrix: readonly (readonly number[])[], vector: readonly number[]): number[] {
  return matrix.map((row) => dot(row, vector));
}

export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
