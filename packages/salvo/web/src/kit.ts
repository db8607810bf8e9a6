/** `salvo/viewer-parts`: what pages of packages are made of. */
export { hc } from 'hono/client';
export { at } from '../../src/app/view/address-parts.ts';
export {
  formatCost,
  formatCount,
  formatInterval,
  formatPercent,
  formatScore,
  formatSeconds,
  twoDigits,
  twoDigitsInterval,
} from '../../src/stats/format.ts';
export { type AddedPages, addPages, decoded } from './added-pages.ts';
export { lookAgainMs, useAllPages, useAnswer, useProject, useRight } from './api.ts';
export { asking, VIEWER } from './client.ts';
export { formatTime } from './format-time.ts';
export { AgentText } from './parts/agent-text.tsx';
export { Badge, type BadgeLook } from './parts/badge.tsx';
export { Crumbs } from './parts/crumbs.tsx';
export { DataTable, NumberCell, RowTable, TableSection } from './parts/data-table.tsx';
export { Figure, Figures } from './parts/figures.tsx';
export { LoadState } from './parts/load-state.tsx';
export { RateBar } from './parts/rate-bar.tsx';
export { ScrollRegion } from './parts/scroll-region.tsx';
export { WorkActions } from './parts/work-actions.tsx';
export { WorkProgress } from './parts/work-progress.tsx';
export { useKey } from './use-key.ts';
export { usePageTitle } from './use-page-title.ts';
export { visibleText } from './visible-text.ts';
