export { scenarioJudges } from '../judge/scenario-judges.ts';
export { judgesOf } from '../store/judge-tables.ts';
