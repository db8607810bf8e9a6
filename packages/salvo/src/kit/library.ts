export { type TextLook, wholeLook } from '../library/text-look.ts';
export { written } from '../library/written.ts';
