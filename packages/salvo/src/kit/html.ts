export { formatHtml } from '../library/format-html.ts';
