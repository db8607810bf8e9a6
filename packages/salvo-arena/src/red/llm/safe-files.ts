import type { CodeLanguage } from '../../iac/syntax/code-block.ts';

const MOST_FILES = 40;
const MOST_CHARACTERS = 300_000;
const MOST_IN_ALL = 1_500_000;
const DEEPEST = 6;
const CODE = /\.(?:tf|tofu|tf\.json|tfvars|tfvars\.json|ya?ml|json|template)$/i;

/**
 * Files that a model wrote: those with code, with names that stay inside the folder they are written to. Names that
 * lead elsewhere (`../`, `/etc`, `C:\`) lose the harmful part.
 */
export function safeFiles(written: readonly { name: string; content: string }[], language: CodeLanguage) {
  const files = new Map<string, string>();
  /** The new name of a file, by the name that the model gave it. */
  const renamed = new Map<string, string>();
  const dropped: { file: string; reason: string }[] = [];
  let left = MOST_IN_ALL;
  for (const { name, content } of written) {
    const safe = safeName(name, language);
    const reason = whyNot(safe, content, { count: files.size, left, isTaken: files.has(safe) });
    if (reason !== null) {
      dropped.push({ file: name.slice(0, 200), reason });
      continue;
    }
    left -= content.length;
    files.set(safe, content);
    if (!renamed.has(name)) renamed.set(name, safe);
  }
  return { files: Object.fromEntries(files), renamed, dropped };
}

function whyNot(name: string, content: string, so: { count: number; left: number; isTaken: boolean }): string | null {
  if (!CODE.test(name)) return 'not a file of infrastructure code';
  if (content.trim() === '') return 'empty';
  if (so.isTaken) return 'a second file of the same name';
  if (content.length > MOST_CHARACTERS || content.length > so.left) return 'too long';
  return so.count >= MOST_FILES ? `one of more than ${MOST_FILES} files` : null;
}

function safeName(name: string, language: CodeLanguage): string {
  const steps = name
    .slice(0, 400)
    .replace(/^[A-Za-z]:/, '')
    .split(/[\\/]+/)
    // Hidden files and `..` begin with dots.
    .map((step) =>
      step
        .replaceAll(/[^\w.-]+/g, '-')
        .replace(/^[.-]+/, '')
        .slice(0, 80),
    )
    .filter((step) => step !== '')
    .slice(-DEEPEST);
  const last = steps.pop() ?? 'main';
  const named = last.includes('.') ? last : `${last}${language === 'terraform' ? '.tf' : '.yaml'}`;
  return [...steps, named].join('/');
}
