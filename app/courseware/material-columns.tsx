/** Columns, filters and file links of all courseware lists. */
import type { MaterialClassify, MaterialFilter } from '#server/courseware/contract.ts';
import type { MaterialType } from '#server/courseware/rules.ts';
import { formatBytes } from '#server/platform/files/rules.ts';
import type { Filter } from '../ui/filter-form.tsx';
import type { Column } from '../ui/list-table.tsx';
import type { RowActionProps } from '../ui/row-action.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { materialFile, materialPreview } from './screens.ts';
import { materialTypeChoices, materialTypeNames } from './terms.ts';

interface Material {
  fid: number;
  ware_name: string;
  ware_type: MaterialType;
  ware_filename: string;
  /** File size in bytes. */
  file_size: number;
}

/** Column of the name. `below` returns a second line, such as a description. */
export const nameColumn = <Row extends Material>(below: (row: Row) => string = () => ''): Column<Row> => ({
  key: 'name',
  header: '课件名称',
  minWidth: 180,
  cell: (row) => (
    <>
      <a href={materialPreview.href({ fid: row.fid })}>{row.ware_name}</a>
      {below(row) && <SubLine>{below(row)}</SubLine>}
    </>
  ),
});

export const typeColumn: Column<Material> = {
  key: 'type',
  header: '类型',
  nowrap: true,
  cell: (row) => materialTypeNames[row.ware_type],
};

export const classifyColumn: Column<{ classify_name: string }> = {
  key: 'classify',
  header: '分类',
  minWidth: 84,
  cell: (row) => row.classify_name || '未分类',
};

export const fileColumn: Column<Material> = {
  key: 'file',
  header: '文件',
  minWidth: 150,
  cell: (row) => (
    <>
      {row.ware_filename}
      <SubLine>{formatBytes(row.file_size)}</SubLine>
    </>
  ),
};

export const ownerColumn: Column<{ is_owner: 0 | 1 }> = {
  key: 'owner',
  header: '来源',
  nowrap: true,
  cell: (row) => (row.is_owner === 1 ? '我上传的' : '学校课件'),
};

export const fileActions = ({ fid, ware_name: recordName }: Material): RowActionProps[] => [
  { label: '预览', recordName, href: materialPreview.href({ fid }) },
  { label: '下载', recordName, href: materialFile.href({ fid, download: true }) },
];

export const materialFilters = (filter: MaterialFilter, classifies: MaterialClassify[]): Filter[] => [
  { label: '课件名称', name: 'ware_name', value: filter.ware_name },
  {
    label: '分类',
    name: 'classify_id',
    value: filter.classify_id,
    choices: classifies.map(({ id, classify_name }) => [id, classify_name] as const),
  },
  { label: '类型', name: 'ware_type', value: filter.ware_type, choices: materialTypeChoices },
];
