import { parseCloudFormation } from './cloudformation.ts';
import { emptySource, type SourceFile } from './source-file.ts';
import { loadTerraformParser, type TerraformParser } from './terraform-parser.ts';

/** The files of a project. Paths have forward slashes. */
export interface CodeProject {
  /** The infrastructure code, sorted by name. Other files are left out. */
  files: SourceFile[];
  /**
   * Of code with several folders or templates, the files in which an address means one resource: only these are edited.
   * All files if it is not given.
   */
  focus?: ReadonlySet<string>;
}

export function isInFocus({ focus }: CodeProject, file: string): boolean {
  return focus === undefined || focus.has(file);
}

/** Longer than any real code. To parse more would take half a minute. */
const MAX_TEXT = 10_000_000;

/** Parses all Terraform and CloudFormation files. Never throws on bad code: see `problems` of each file. */
export async function parseCode(files: Readonly<Record<string, string>>): Promise<CodeProject> {
  const names = Object.keys(files).sort();
  const terraform = names.some(isTerraform) ? await loadTerraformParser() : null;
  const read: SourceFile[] = [];
  for (const file of names) {
    const source = parseFile(file, files[file] ?? '', terraform);
    if (source) read.push(source);
  }
  return { files: read };
}

/** The files that were parsed last, by name and text. In a game, Red, the gate and Blue parse the same files. */
const recentFiles = new Map<string, SourceFile | null>();
const MOST_RECENT_FILES = 64;
const LONGEST_RECENT_FILE = 20_000;

function parseFile(file: string, text: string, terraform: TerraformParser | null): SourceFile | null {
  if (text.length > LONGEST_RECENT_FILE) return readFile(file, text, terraform);
  const key = `${file}\n${text}`;
  const found = recentFiles.get(key);
  const source = found === undefined ? readFile(file, text, terraform) : found;
  // A Map keeps insertion order: inserted again, the file is the most recently used one.
  recentFiles.delete(key);
  recentFiles.set(key, source);
  if (recentFiles.size > MOST_RECENT_FILES) recentFiles.delete(recentFiles.keys().next().value ?? '');
  return source;
}

function readFile(file: string, text: string, terraform: TerraformParser | null): SourceFile | null {
  if (text.length > MAX_TEXT) return isTerraform(file) || isTemplate(file, text) ? tooLarge(file, text) : null;
  if (isTerraform(file)) return terraform?.parse(file, text) ?? null;
  return isTemplate(file, text) ? parseCloudFormation(file, text) : null;
}

function tooLarge(file: string, text: string): SourceFile {
  const message = `the file has more than ${MAX_TEXT} characters and is not parsed`;
  const language = isTerraform(file) ? 'terraform' : 'cloudformation';
  const syntax = file.endsWith('.json') ? 'json' : language === 'terraform' ? 'hcl' : 'yaml';
  return { ...emptySource({ file, text, language, syntax }), problems: [{ line: 1, column: 1, message }] };
}

function isTerraform(file: string): boolean {
  return /\.(?:tf|tofu|tfvars|tf\.json|tfvars\.json)$/i.test(file);
}

/** A line that names one of the main sections is enough, wherever it is. */
function isTemplate(file: string, text: string): boolean {
  if (!/\.(?:ya?ml|json|template)$/i.test(file)) return false;
  return /(?:^|[{,\s])["']?(?:Resources|AWSTemplateFormatVersion)["']?[ \t]*:/m.test(text);
}
