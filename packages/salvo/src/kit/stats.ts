export { type AtLeast, type Cost, createCostSum, knownUsd, NO_COST, sumCosts, UNKNOWN_CALL } from '../stats/cost.ts';
export {
  formatCost,
  formatCount,
  formatInterval,
  formatMoney,
  formatP,
  formatPercent,
  formatPlural,
  formatPoints,
  formatPointsInterval,
  formatScore,
  formatSeconds,
  oneDigit,
  relativeTime,
  signedTwoDigits,
  twoDigits,
  twoDigitsInterval,
} from '../stats/format.ts';
export { wilsonInterval } from '../stats/intervals/wilson-interval.ts';
export { mean, meetsThreshold, THRESHOLD_TOLERANCE } from '../stats/mean.ts';
export { seededRandom } from '../stats/seeded-random.ts';
