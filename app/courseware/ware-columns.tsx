/** What every list of courseware has: its columns, the filters, the ways to the file. */
import type { WareClassify, WareFilter } from '#server/courseware/contract.ts';
import type { WareType } from '#server/courseware/rules.ts';
import { shownBytes } from '#server/platform/files/rules.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, TextFilter } from '../ui/filter-form.tsx';
import type { Column } from '../ui/list-table.tsx';
import styles from './courseware.module.css';
import { wareFile, warePreview } from './screens.ts';
import { wareTypeChoices, wareTypeNames } from './terms.ts';

interface Ware {
  fid: number;
  ware_name: string;
  ware_type: WareType;
  ware_filename: string;
  /** Bytes. */
  file_size: number;
}

/** `below` says more about the ware, such as its description. */
export function nameColumn<Row extends Ware>(below: (row: Row) => string = () => ''): Column<Row> {
  return {
    key: 'name',
    header: '课件名称',
    minWidth: 180,
    cell: (row) => (
      <>
        {row.ware_name}
        {below(row) && <span className={styles.below}>{below(row)}</span>}
      </>
    ),
  };
}

export function typeColumn<Row extends Ware>(): Column<Row> {
  return { key: 'type', header: '类型', nowrap: true, cell: (row) => wareTypeNames[row.ware_type] };
}

export function fileColumn<Row extends Ware>(): Column<Row> {
  return {
    key: 'file',
    header: '文件',
    minWidth: 150,
    cell: (row) => (
      <>
        {row.ware_filename}
        <span className={styles.below}>{shownBytes(row.file_size)}</span>
      </>
    ),
  };
}

export function PreviewLinks({ fid, name }: { fid: number; name: string }) {
  return (
    <>
      <a className={rowAction} href={warePreview.href({ fid })} aria-label={`预览${name}`}>
        预览
      </a>
      <a className={rowAction} href={wareFile.href({ fid, download: true })} aria-label={`下载${name}`}>
        下载
      </a>
    </>
  );
}

export function WareFilters({ filter, classifies }: { filter: WareFilter; classifies: WareClassify[] }) {
  return (
    <>
      <TextFilter label="课件名称" name="ware_name" value={filter.ware_name} />
      <ChoiceFilter
        label="分类"
        name="classify_id"
        value={filter.classify_id}
        choices={classifies.map(({ id, classify_name }) => [id, classify_name] as const)}
      />
      <ChoiceFilter label="类型" name="ware_type" value={filter.ware_type} choices={wareTypeChoices} />
    </>
  );
}
