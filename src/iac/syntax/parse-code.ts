import { parseCloudFormation } from './cloudformation.ts';
import type { SourceFile } from './source-file.ts';
import { loadTerraformParser, type TerraformParser } from './terraform-parser.ts';

/** All files that belong together, by their paths with forward slashes. */
export interface CodeProject {
  /** What is infrastructure code, in the order of the names. Other files are left out. */
  files: SourceFile[];
}

/** Code that people write is never that long; reading it would take half a minute. */
const MAX_TEXT = 10_000_000;

/** Reads every file that is Terraform or CloudFormation. Never throws on bad code: see `problems` of each file. */
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

/** What was read last, by name and text. Red proves on it, hints are taken out of it, Blue looks at it; nobody changes it. */
const known = new Map<string, SourceFile | null>();
const MOST_KNOWN = 64;
const LONGEST_KNOWN = 20_000;

function parseFile(file: string, text: string, terraform: TerraformParser | null): SourceFile | null {
  if (text.length > LONGEST_KNOWN) return readFile(file, text, terraform);
  const key = `${file}\n${text}`;
  const found = known.get(key);
  const source = found === undefined ? readFile(file, text, terraform) : found;
  // Put last again: the first ones are forgotten.
  known.delete(key);
  known.set(key, source);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? '');
  return source;
}

function readFile(file: string, text: string, terraform: TerraformParser | null): SourceFile | null {
  if (text.length > MAX_TEXT) return isTerraform(file) || isTemplate(file, text) ? tooLarge(file, text) : null;
  if (isTerraform(file)) return terraform?.parse(file, text) ?? null;
  return isTemplate(file, text) ? parseCloudFormation(file, text) : null;
}

function tooLarge(file: string, text: string): SourceFile {
  const message = `the file has more than ${MAX_TEXT} characters and is not read`;
  const isHcl = isTerraform(file);
  return {
    file,
    language: isHcl ? 'terraform' : 'cloudformation',
    syntax: file.endsWith('.json') ? 'json' : isHcl ? 'hcl' : 'yaml',
    text,
    blocks: [],
    attributes: [],
    comments: [],
    problems: [{ line: 1, column: 1, message }],
  };
}

function isTerraform(file: string): boolean {
  return /\.(?:tf|tofu|tfvars|tf\.json|tfvars\.json)$/i.test(file);
}

/** The first section of a template may stand anywhere in the file; a line that names one is enough. */
function isTemplate(file: string, text: string): boolean {
  if (!/\.(?:ya?ml|json|template)$/i.test(file)) return false;
  return /(?:^|[{,\s])["']?(?:Resources|AWSTemplateFormatVersion)["']?[ \t]*:/m.test(text);
}
