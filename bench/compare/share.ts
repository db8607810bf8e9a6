export function share(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}
