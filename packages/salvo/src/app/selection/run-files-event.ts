import type { UncalibratedJudge } from '../../judge/calibration/judges-in-use.ts';
import type { RunEvent } from '../../run/conduct/run-request.ts';
import type { RunRecord } from '../../run/record/run-record.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';

export type RunFilesEvent =
  /** Before the run is prepared: judges are asked about the anchors of their calibrations. */
  | { type: 'checking_judges' }
  /** Once, before the first trial. `uncalibrated` are judges that were never compared with people. */
  | {
      type: 'run_prepared';
      run: RunRecord;
      warnings: Diagnostic[];
      uncalibrated: UncalibratedJudge[];
      /** Sentences about what the run can show. */
      notes?: string[] | undefined;
    }
  | RunEvent;
