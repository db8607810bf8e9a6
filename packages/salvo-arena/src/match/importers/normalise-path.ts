/**
 * A file's path in the form that is compared: forward slashes, no `file://`, no `./` in front, no empty or `.` steps.
 * Absolute paths stay absolute and drive letters stay, since what the path is relative to is not known here.
 */
export function normalisePath(path: string): string {
  const text = withoutScheme(path.replace(/^\uFEFF/, '').trim()).replaceAll('\\', '/');
  const isAbsolute = text.startsWith('/');
  const steps: string[] = [];
  for (const step of text.split('/')) {
    if (step === '' || step === '.') continue;
    // `a/../b` is `b`, but what is before the root or before the first step is unknown.
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (step !== '..' || !isAbsolute) steps.push(step);
  }
  return (isAbsolute ? '/' : '') + steps.join('/');
}

/** `file:///C:/a` is `C:/a`, `file:///a` is `/a`, `file://host/a` is `/a`; only URIs are percent-encoded. */
function withoutScheme(text: string): string {
  if (!/^file:/i.test(text)) return text;
  const path = text.slice('file:'.length).replace(/^\/\/[^/\\]*/, '');
  return percentDecoded(path).replace(/^\/([A-Za-z]:)/, '$1');
}

/** Unchanged when it contains a `%` that encodes nothing. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
