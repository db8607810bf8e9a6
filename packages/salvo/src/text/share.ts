/** A percentage from 0% to 100%, as a pattern that JSON Schema can use too. */
export const PERCENTAGE_PATTERN = '^(100(\\.0+)?|[0-9]{1,2}(\\.[0-9]+)?) ?%$';

const PERCENTAGE = new RegExp(PERCENTAGE_PATTERN);

/** A share as people write it: a number from 0 to 1, or a percentage such as `80%`. Null if it is neither. */
export function readShare(value: unknown): number | null {
  if (typeof value === 'number') return value >= 0 && value <= 1 ? value : null;
  if (typeof value !== 'string' || !PERCENTAGE.test(value)) return null;
  return Number(value.replace(/ ?%$/, '')) / 100;
}

/** How to write a share, in the words of the value that was refused. */
export function howToWriteShare(value: unknown): string {
  const text = typeof value === 'string' ? value.trim().replace(/ ?%$/, '') : value;
  const number = typeof text === 'number' || (typeof text === 'string' && text !== '') ? Number(text) : Number.NaN;
  if (number > 1 && number <= 100) return `write ${rounded(number / 100)} or ${number}%`;
  if (number >= 0 && number <= 1) return `write ${number} or ${rounded(number * 100)}%`;
  return 'write a number such as 0.8, or a percentage such as 80%';
}

/** Without the rounding errors of binary fractions: 0.07 is 7%, not 7.000000000000001%. */
function rounded(number: number): number {
  return Number(number.toPrecision(12));
}
