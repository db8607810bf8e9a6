const LINE_BREAKS = /\r\n?|[\u000b\u000c\u0085\u2028\u2029]/g;
/** Zero-width characters, bidi controls, joiners, tag characters, variation selectors: nobody reads them, models do. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]/g;
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * A text as a person would see it: what is invisible goes, control characters become visible signs (␛ for ESC), every
 * line break is \n. So a judge cannot be told what a reader of the report would not see.
 */
export function plainText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(LINE_BREAKS, '\n')
    .replaceAll(INVISIBLE, '')
    .replaceAll(CONTROLS, (control) => {
      const code = control.charCodeAt(0);
      if (code === 0x7f) return '␡';
      return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\ufffd';
    });
}
