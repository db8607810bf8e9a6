import { plainWords } from './plain-words.ts';

const LACKING =
  / (?:missing|lack|lacks|lacking|without|absent|absence|omit|omits|omitted|omitting|unset|undefined|unspecified|never|no|not|none|nothing|isn t|aren t|doesn t|hasn t|cannot|disabled|disables|disabling|off|default|defaults|un[a-z]+ed|left out|fails? to|neither|nor|forgot|forgotten|removed|incomplete|insufficient) /;

/** Whether a claim may be about something that is missing. */
export function speaksOfAbsence(text: string): boolean {
  return LACKING.test(plainWords(text));
}

const BEFORE = ['missing', 'no', 'without', 'lacks', 'lacking', 'omits', 'omitted', 'absent'];
const BETWEEN = ['', 'a ', 'an ', 'any ', 'the '];
const AFTER =
  /^ (?:(?:block|attribute|argument|property|configuration|setting|section|option) )?(?:(?:is|are|was) )?(?:missing|absent|omitted|unset|undefined|unspecified|not (?:set|there|present|defined|configured|specified|given|declared|provided)|left out) /;

/** Whether a text says that a named thing is missing: `no logging`, `access_logs is missing`. */
export function saysItIsAbsent(text: string, name: string): boolean {
  const words = plainWords(text);
  const wanted = plainWords(name);
  if (wanted.trim() === '') return false;
  if (BEFORE.some((word) => BETWEEN.some((article) => words.includes(` ${word} ${article}${wanted.trim()} `)))) {
    return true;
  }
  for (let at = words.indexOf(wanted); at >= 0; at = words.indexOf(wanted, at + 1)) {
    if (AFTER.test(words.slice(at + wanted.length - 1, at + wanted.length + 80))) return true;
  }
  return false;
}
