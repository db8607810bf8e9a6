export { scenarioJudges } from '../judge/scenario-judges.ts';
export { type JudgeTables, judgesOf } from '../store/judge-tables.ts';
