export { type CalibrationRecord, calibrationRecordSchema } from '../judge/calibration/calibration-record.ts';
export { type HumanLabel, humanLabelSchema } from '../judge/calibration/human-label.ts';
export { type CalibrationOf, calibrationLookup, type JudgeInUse } from '../judge/calibration/judges-in-use.ts';
export { judgeFactsSchema } from '../judge/judge-facts.ts';
export { scenarioJudges } from '../judge/scenario-judges.ts';
