export { cohenKappa } from '../stats/agreement/cohen-kappa.ts';
export { clusterIntervals, DIFFERENCE, FEW_CLUSTERS } from '../stats/intervals/cluster-intervals.ts';
export {
  holmCorrection,
  mcnemarTest,
  pairedEffectSize,
  pairedPermutationTest,
} from '../stats/significance/paired-tests.ts';
export { sumOrUnknown } from '../stats/sum-or-unknown.ts';
