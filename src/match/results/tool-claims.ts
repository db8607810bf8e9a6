import { isRecord } from '../../text/is-record.ts';
import type { Claim } from '../claims/claim.ts';
import { findingClaim } from '../claims/claims.ts';
import { findingRecords } from '../claims/match-input-records.ts';

/** Names that a report or a container of findings has, and that no tool is called by. */
const CONTAINERS = ['findings', 'detected_vulnerabilities', 'vulnerabilities', 'results', 'Results', 'runs', 'queries'];

/** What tools claim: from one list or report, or from one for each tool. */
export function toolClaims(toolFindings: unknown): Claim[] {
  const reports = isByTool(toolFindings) ? Object.values(toolFindings) : [toolFindings];
  return reports.flatMap((report) => findingRecords(report).map(findingClaim));
}

function isByTool(value: unknown): value is Record<string, unknown> {
  return (
    isRecord(value) &&
    !CONTAINERS.some((name) => Object.hasOwn(value, name)) &&
    Object.values(value).every((report) => Array.isArray(report) || isRecord(report))
  );
}
