export type { PreparedScenario } from '../trial/run-trial.ts';
