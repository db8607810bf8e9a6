import { z } from 'zod';
import { projectName, textFree } from '../../secrets/text-marks.ts';
import { judgeComparisonSchema } from './judge-comparison.ts';

/** A comparison of judges as it is stored and printed. */
export const storedComparisonSchema = judgeComparisonSchema.extend({
  comparison_id: textFree(z.string()),
  created_at: textFree(z.string()),
  /** As they were named on the command line. */
  labels_file: projectName(z.string()),
  judges_file: projectName(z.string()),
});

export type StoredComparison = z.infer<typeof storedComparisonSchema>;
