/** Name of a knowledge point, indented by its depth, with the link that folds or unfolds it. */
import type { ReactNode } from 'react';
import type { PointFilter, PointRow } from '#server/questions/points.contract.ts';
import { TreeRow } from '../../catalogue/tree-row.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import styles from './points.posts.module.css';

interface PointNameProps {
  row: PointRow;
  filter: PointFilter;
  /** Returns the address of the list with another point unfolded. */
  unfolded: (changes: { open: number | undefined }) => string;
  children: ReactNode;
}

export function PointName({ row, filter, unfolded, children }: PointNameProps) {
  const { name, whole } = filter;
  if (name !== undefined) {
    return (
      <>
        {children}
        {row.path.length > 0 && <SubLine>{row.path.join(' / ')}</SubLine>}
      </>
    );
  }
  const folds = row.children > 0 && whole !== 1;
  return (
    <TreeRow depth={row.path.length}>
      {folds ? (
        <a
          className={styles.fold}
          href={unfolded({ open: row.is_open === 1 ? (row.parent_id ?? undefined) : row.id })}
          aria-label={`${row.is_open === 1 ? '收起' : '展开'}：${row.name}`}
          title={row.is_open === 1 ? '收起' : '展开'}
        >
          {row.is_open === 1 ? '▾' : '▸'}
        </a>
      ) : (
        <span className={styles.fold} aria-hidden="true" />
      )}
      {children}
    </TreeRow>
  );
}
