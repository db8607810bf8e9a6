export { asciiSymbols as plainSigns } from './look.ts';
