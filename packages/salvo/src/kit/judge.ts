export { type CalibrationRecord, calibrationRecordSchema } from '../judge/calibration/calibration-record.ts';
export { type HumanLabel, humanLabelSchema } from '../judge/calibration/human-label.ts';
export { scenarioJudges } from '../judge/scenario-judges.ts';
