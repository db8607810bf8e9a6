/** What programs and pages share: nothing here needs Node, so that it can be part of a page's script. */
export { at } from '../app/view/address-parts.ts';
export { joinedHref, whereHref } from '../app/view/page-hrefs.ts';
export { type Cost, sumCosts } from '../stats/cost.ts';
export { formatPointsInterval, formatPointsSize, pEquation } from '../stats/format.ts';
export { type DiffLine, lineDiff } from '../text/words/line-diff.ts';
