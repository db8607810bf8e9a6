import { isRecord } from '../../text/json/is-record.ts';
import type { Path } from '../diagnostics/located-value.ts';

/** An entry of `files` in a scenario, and where it is. */
export interface FileSite {
  path: Path;
  entry: unknown;
}

/** All files of a scenario: of its prompt, of its messages and of its mocks. */
export function fileSites(scenario: Record<string, unknown>): FileSite[] {
  const { files, messages, tools } = scenario;
  return [
    ...entries(files, ['files']),
    ...records(messages, ['messages']).flatMap(({ part, path }) => entries(part.files, [...path, 'files'])),
    ...records(tools, ['tools'])
      .flatMap(({ part, path }) => records(part.mock_responses, [...path, 'mock_responses']))
      .flatMap(({ part, path }) => entries(part.files, [...path, 'files'])),
  ];
}

function entries(files: unknown, path: Path): FileSite[] {
  return Array.isArray(files) ? files.map((entry: unknown, index) => ({ entry, path: [...path, index] })) : [];
}

function records(list: unknown, path: Path): { part: Record<string, unknown>; path: Path }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((part: unknown, index) => (isRecord(part) ? [{ part, path: [...path, index] }] : []));
}
