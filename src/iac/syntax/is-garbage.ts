/** No ruler in a comment and no nest of brackets is that long; the grammar takes seconds for a megabyte of them. */
const LONGEST_RUN = 5000;

/** Whether signs follow signs, without any letter or digit between them, for longer than anybody would write. */
export function isGarbage(text: string): boolean {
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isBlank(code)) continue;
    run = isSign(code) ? run + 1 : 0;
    if (run > LONGEST_RUN) return true;
  }
  return false;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

function isSign(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return code < 0x80 && !isDigit && !isLetter;
}
