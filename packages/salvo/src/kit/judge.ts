export { scenarioJudges } from '../judge/scenario-judges.ts';
