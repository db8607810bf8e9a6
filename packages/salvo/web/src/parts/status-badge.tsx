import type { TrialStatus } from '../../../src/evaluators/eval-result.ts';
import { Badge } from './badge.tsx';
import { STATUS_LOOKS } from './status-looks.ts';

/** Null while a trial was not judged. */
export function StatusBadge({ status }: { status: TrialStatus | null }) {
  return status === null ? <Badge name="Not judged" look="running" sign="…" /> : <Badge {...STATUS_LOOKS[status]} />;
}
