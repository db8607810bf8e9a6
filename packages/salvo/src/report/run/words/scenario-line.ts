/** The line of a file on which a scenario says its name, in YAML or TypeScript; 1 if no line does. */
export function scenarioLine(source: string, name: string): number {
  return source.split('\n').findIndex((line) => isNamed(line, name)) + 1 || 1;
}

const QUOTES = ['"', "'", '`'];
const ENDS = ['', ',', '}', '#'];

function isNamed(line: string, name: string): boolean {
  const [, ...values] = line.split(/\bname\b["']?:/);
  return values.some((value) => {
    const written = value.trim();
    const isQuoted = QUOTES.includes(written.charAt(0));
    const text = isQuoted ? written.slice(1) : written;
    if (!text.startsWith(name)) return false;
    const rest = text.slice(name.length);
    const end = isQuoted && QUOTES.includes(rest.charAt(0)) ? rest.slice(1) : rest;
    return ENDS.includes(end.trimStart().charAt(0));
  });
}
