/** Strings, tags of YAML, words and references, numbers and address ranges, and every other character. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|!\w+|[A-Za-z_][\w.:[\]-]*|-?\d[\w./:]*|\S/g;

/**
 * What is left of a line of code without its values: its indentation, the name of its attribute and the kinds of the
 * tokens after it. Two lines of one shape differ in what they mean, but not in how they look.
 */
export function lineShape(line: string): string {
  const code = line.trim();
  const indent = line.length - line.trimStart().length;
  const [dashes = ''] = /^(?:- )*/.exec(code) ?? [];
  const [name = ''] = /^[\w."-]+/.exec(code.slice(dashes.length)) ?? [];
  const rest = code.slice(dashes.length + name.length).trimStart();
  const isNamed = /^(?:=(?!=)|:(?= |$))/.test(rest);
  return `${indent} ${dashes}${isNamed ? `${name} ${valueShape(rest)}` : valueShape(code.slice(dashes.length))}`;
}

export function valueShape(code: string): string {
  return (code.match(TOKEN) ?? []).map(kindOf).join(' ');
}

function kindOf(token: string): string {
  if (token.startsWith('"')) return token.includes('${') ? 'template' : 'string';
  if (/^(?:true|false|null)$/.test(token)) return 'constant';
  if (/^-?\d/.test(token)) return 'number';
  if (/^(?:var|local|module|each|data)\./.test(token)) return token.slice(0, token.indexOf('.'));
  if (/^[A-Za-z_]/.test(token)) return token.includes('.') ? 'reference' : 'word';
  return token;
}
