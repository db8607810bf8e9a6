import { hash } from 'node:crypto';
import { basename, dirname, resolve } from 'node:path';
import type { Scenario } from '../scenario/schema/scenario-schema.ts';
import type { WrittenFile } from '../scenario/schema/tool-schema.ts';
import { SalvoError } from '../text/errors/salvo-error.ts';
import { readLimitedSync } from '../text/read-limited.ts';
import { plainType, typeOfName } from '../trace/files/media-type.ts';
import { bytesOfBase64, fileOfBytes, MOST_FILE_BYTES } from '../trace/files/message-file.ts';
import type { MessageFile } from '../trace/message.ts';

interface OfScenario {
  scenario: Pick<Scenario, 'attached'>;
  /** Absolute. */
  file: string;
}

/** The files of a message or a mock, with their content. What is wrong with them was reported when the scenario was loaded. */
export function readFiles(files: readonly WrittenFile[], of: OfScenario): MessageFile[] {
  return files.map((written) => readFile(typeof written === 'string' ? { path: written } : written, of));
}

function readFile(written: Exclude<WrittenFile, string>, of: OfScenario): MessageFile {
  const { path, url, base64 } = written;
  if (url !== undefined) return fileAtUrl(url, written);
  const type = written.media_type ?? (path === undefined ? undefined : typeOfName(path));
  const name = written.name ?? (path === undefined ? undefined : basename(path));
  const content = path === undefined ? bytesOfBase64(base64 ?? '') : attachedContent(path, of);
  const file = content && fileOfBytes(content, { name, type });
  if (!file) throw new SalvoError('FILE_UNREADABLE', `A file of the scenario, ${name ?? 'in base64'}, cannot be read.`);
  return file;
}

function fileAtUrl(url: string, { name, media_type }: Exclude<WrittenFile, string>): MessageFile {
  const path = URL.parse(url)?.pathname ?? '';
  const type = media_type ?? typeOfName(path) ?? 'application/octet-stream';
  return { media_type: plainType(type), name: name ?? (basename(path) || 'file'), url };
}

/** What was read last, so that the trials of a scenario do not read their image again. */
const contents = new Map<string, Buffer>();
const MOST_KEPT = 64 * 1024 * 1024;
let kept = 0;

/** All trials of a run have the same files, so one that has changed since is refused, wherever it leads by now. */
function attachedContent(path: string, { scenario, file }: OfScenario): Buffer {
  const attached = scenario.attached?.[path];
  if (!attached)
    throw new SalvoError('FILE_UNREADABLE', `${path} is not among the files that were read for the scenario.`);
  const known = contents.get(attached.sha256);
  if (known) return known;
  const absolute = resolve(dirname(file), attached.path ?? path);
  const content = readLimitedSync(absolute, MOST_FILE_BYTES);
  if (content === null || hash('sha256', content) !== attached.sha256) {
    throw new SalvoError('FILE_CHANGED', `${absolute} has changed since the run began. Start a new run.`);
  }
  if (kept + content.length > MOST_KEPT) {
    contents.clear();
    kept = 0;
  }
  contents.set(attached.sha256, content);
  kept += content.length;
  return content;
}
