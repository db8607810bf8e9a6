import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isRecord } from '../../text/json/is-record.ts';
import { readLimitedSync } from '../../text/read-limited.ts';
import { mediaTypeOf, plainType, typeOfName } from '../../trace/files/media-type.ts';
import { bytesOfBase64, MOST_FILE_BYTES } from '../../trace/files/message-file.ts';
import type { ProblemText, Report } from '../diagnostics/problem.ts';
import type { AttachedFile } from '../schema/scenario-schema.ts';
import { outsideProblem } from '../yaml/read-source.ts';
import { type FileSite, fileSites } from './file-sites.ts';
import type { FileChecks, ScenarioChecks } from './scenario-checks.ts';
import { checkFileExists, rebasedPath } from './written-path.ts';

type Places = Pick<ScenarioChecks, 'file' | 'fileAt' | 'projectRoot' | 'readRoot'>;

const KEYS: ReadonlySet<string> = new Set(['path', 'url', 'base64', 'media_type', 'name']);
const MEGABYTE = 1024 * 1024;
/** Of all files of a conversation: providers take requests of about this size. */
const MOST_TOGETHER = 32 * MEGABYTE;

export function fileChecks(places: Places): FileChecks {
  const attached = new Map<string, AttachedFile & { absolute: string }>();
  /** By absolute path, so that a file which many rows name is read once. */
  const read = new Map<string, ReadFile>();
  let hasFiles = false;

  function pathBytes(report: Report, { path }: FileSite, written: string, type: string | undefined): number {
    const folder = dirname(places.fileAt?.(path) ?? places.file);
    const absolute = resolve(folder, written);
    const found = read.get(absolute) ?? readFile(absolute, { written, type, root: places.readRoot });
    read.set(absolute, found);
    if (found === 'missing') {
      checkFileExists(report, { file: written, folder, projectRoot: places.projectRoot, path });
      return 0;
    }
    if ('code' in found) {
      report({ ...found, path });
      return 0;
    }
    const other = attached.get(written);
    if (other && other.absolute !== absolute) {
      const message = `${written} is written in files of two folders, and means another file in each`;
      report({ code: 'conflicting-keys', message, hint: `the other one is ${other.absolute}`, path });
      return 0;
    }
    const fromScenario = rebasedPath(written, { from: folder, to: dirname(places.file) });
    attached.set(written, { ...found, absolute, ...(fromScenario === written ? {} : { path: fromScenario }) });
    return found.bytes;
  }

  function bytesOf(report: Report, site: FileSite): number {
    const entry = typeof site.entry === 'string' ? { path: site.entry } : site.entry;
    // The schema reports a key that a file cannot have.
    if (!isRecord(entry) || !Object.keys(entry).every((key) => KEYS.has(key))) return 0;
    const { path, url, base64, media_type } = entry;
    const type = typeof media_type === 'string' ? media_type : undefined;
    const given = [path, url, base64].filter((way) => way !== undefined);
    if (given.length !== 1) {
      const message =
        given.length === 0
          ? 'a file needs "path", "url" or "base64"'
          : 'a file has only one of "path", "url" and "base64"';
      report({ code: given.length === 0 ? 'missing-key' : 'conflicting-keys', message, path: site.path });
      return 0;
    }
    const problem = typeof path === 'string' ? notAPath(path) : typeof url === 'string' ? urlProblem(url, type) : null;
    if (problem) report({ ...problem, path: site.path });
    else if (typeof path === 'string') return pathBytes(report, site, path, type);
    else if (typeof base64 === 'string') {
      const content = bytesOfBase64(base64);
      const wrong = content ? contentProblem(content, { name: 'this content', type }) : NO_BASE64;
      if (wrong) report({ ...wrong, path: site.path });
      return content?.length ?? 0;
    }
    return 0;
  }

  return {
    check(report, scenario) {
      let together = 0;
      for (const site of fileSites(scenario)) {
        hasFiles = true;
        const before = together;
        together += bytesOf(report, site);
        if (before > MOST_TOGETHER || together <= MOST_TOGETHER) continue;
        const message = `the files of this conversation have more than ${MOST_TOGETHER / MEGABYTE} MB together`;
        report({ code: 'too-large', message, path: site.path });
      }
    },
    found() {
      const files = [...attached].map(([written, { absolute: _, ...file }]) => [written, file] as const);
      return hasFiles ? { attached: Object.fromEntries(files) } : {};
    },
  };
}

type ReadFile = AttachedFile | ProblemText | 'missing';

function readFile(absolute: string, of: { written: string; type: string | undefined; root: string }): ReadFile {
  const { written: name, root } = of;
  const outside = outsideProblem({ file: absolute, name, root });
  if (outside) return outside;
  if (!statSync(absolute, { throwIfNoEntry: false })?.isFile()) return 'missing';
  try {
    const content = readLimitedSync(absolute, MOST_FILE_BYTES);
    if (content === null) {
      return { code: 'too-large', message: `${name} is larger than ${MOST_FILE_BYTES / MEGABYTE} MB` };
    }
    const type = of.type ?? typeOfName(name);
    const problem = contentProblem(content, { name, type });
    if (problem) return problem;
    const media_type = mediaTypeOf(content, type) ?? '';
    return { sha256: hash('sha256', content), bytes: content.length, media_type };
  } catch (error) {
    return { code: 'unreadable-file', message: `${name} cannot be read: ${String(error)}` };
  }
}

function contentProblem(
  content: Buffer,
  { name, type }: { name: string; type: string | undefined },
): ProblemText | null {
  if (content.length === 0) return { code: 'invalid-value', message: `${name} is empty` };
  if (mediaTypeOf(content, type) !== null) return null;
  return {
    code: 'invalid-value',
    message: `${name} is said to be ${plainType(type ?? '')}, but its content is something else`,
  };
}

const NO_BASE64 = {
  code: 'invalid-value',
  message: `this is not base64, is cut off, or has more than ${MOST_FILE_BYTES / MEGABYTE} MB`,
  hint: 'name a file by its path',
} as const;

function notAPath(path: string): ProblemText | null {
  if (path.includes('\0')) return { code: 'invalid-value', message: 'a path has no NUL character' };
  const scheme = /^([a-z][a-z\d+.-]+):/i.exec(path)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') {
    return { code: 'invalid-value', message: 'this is an address, and not a path', hint: 'write {url: ...}' };
  }
  if (scheme !== 'data') return null;
  return { code: 'invalid-value', message: 'this is a data URL, and not a path', hint: 'write {base64: ...}' };
}

function urlProblem(text: string, type: string | undefined): ProblemText | null {
  const url = URL.parse(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    const hint =
      url?.protocol === 'data:' ? 'write {base64: ..., media_type: ...}' : 'for a file on this machine, write its path';
    return { code: 'invalid-value', message: '"url" is not an http or https address', hint };
  }
  if (url.username !== '' || url.password !== '') {
    return { code: 'invalid-value', message: '"url" has a user or a password in it, which would be stored' };
  }
  if (type !== undefined || typeOfName(url.pathname) !== undefined) return null;
  return {
    code: 'missing-key',
    message: 'the address does not show the type of the file',
    hint: 'add media_type: image/png',
  };
}
