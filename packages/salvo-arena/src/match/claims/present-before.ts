import { isRecord } from 'salvo/kit/text';
import { JudgeError } from './judge-error.ts';

/** A weakness that code had before flaws were planted in it: a finding about it is neither right nor wrong. */
export interface PresentBefore {
  /** The id of a weakness in the catalogue. */
  weakness: string;
  /** The address of the resource that has it. */
  resource: string;
}

/** What a manifest lists as `present_before`. Throws a `JudgeError` when an entry is not a weakness of a resource. */
export function readPresentBefore(value: unknown): PresentBefore[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw badEntry('it is not a list');
  return value.map((entry: unknown, index) => {
    const { weakness, resource } = isRecord(entry) ? entry : {};
    if (typeof weakness === 'string' && typeof resource === 'string') return { weakness, resource };
    throw badEntry(`entry ${index + 1} is not an object with both as texts`);
  });
}

function badEntry(problem: string): JudgeError {
  return new JudgeError(
    'MANIFEST_INVALID',
    `present_before of the manifest: ${problem}. It lists weaknesses that were there before: [{"weakness": "s3-no-replication", "resource": "aws_s3_bucket.data"}].`,
  );
}
