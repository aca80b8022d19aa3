import type { ReactNode } from 'react';

/** Indents a table row of a tree by its depth. */
export const TreeRow = ({ depth, children }: { depth: number; children: ReactNode }) =>
  depth === 0 ? children : <div style={{ paddingInlineStart: `${Math.min(depth, 8) * 1.5}em` }}>{children}</div>;
