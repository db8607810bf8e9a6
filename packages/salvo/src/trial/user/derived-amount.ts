/** Within this share of a known number, a number is a rounded one. */
const ROUNDED = 0.02;
const SMALLEST_AMOUNT = 20;
/** Sums of three are only looked for among so many amounts: a list of prices would make every number a sum. */
const MOST_SUMMANDS = 40;
const FACTORS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12];

/** Whether a number follows from known ones: rounded, a sum, a difference, a multiple, a part or a share in percent. */
export function isDerived(value: number, known: readonly number[]): boolean {
  if (known.some((other) => isNear(value, other) || isRoundFor(value, other))) return true;
  const isExact = (other: number) => Math.abs(value - other) <= 0.01;
  // From small counts nearly every number could be made.
  const amounts = known.filter((each) => each >= SMALLEST_AMOUNT || !Number.isInteger(each));
  const shares = known.filter((each) => each > 0 && each < 100).map((percent) => percent / 100);
  const isPart = (amount: number) =>
    FACTORS.some((factor) => isExact(amount * factor) || isExact(amount / factor)) ||
    shares.some((share) => isExact(amount * share) || isExact(amount * (1 - share)));
  if (amounts.some(isPart)) return true;
  if (amounts.some((a) => amounts.some((b) => isExact(a + b) || isExact(a - b)))) return true;
  const few = amounts.slice(0, MOST_SUMMANDS);
  return few.some((a) => few.some((b) => few.some((c) => isExact(a + b + c))));
}

function isNear(value: number, other: number): boolean {
  return Math.abs(value - other) <= Math.max(0.01, Math.abs(other) * ROUNDED);
}

/** "About 1,200" for 1,166.98: up or down to two digits. */
function isRoundFor(value: number, other: number): boolean {
  if (other < 100) return false;
  const unit = 10 ** (Math.floor(Math.log10(other)) - 1);
  return value % unit === 0 && Math.abs(value - other) < unit;
}
