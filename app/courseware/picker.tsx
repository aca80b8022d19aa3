/**
 * Chooses several wares of the library, across its pages, without client JS: one form whose ticks travel along with
 * every search and page change, and are posted in the end.
 *
 * - `view`: the list as the address shows it; the screen's loader reads `chosenWares(url.searchParams)` as well.
 * - `chosen`: ids ticked so far. `given`: ids that are there already and cannot be ticked again.
 * The screen's action reads `chosenWares` of the posted form; none is refused with 请选择课件.
 */
import { Button } from '@mantine/core';
import type { WareClassify, WareFilter, WareRow } from '#server/courseware/contract.ts';
import type { Page } from '#server/platform/calls/fields.ts';
import type { ListView } from '../lib/list-view.ts';
import { idOf } from '../lib/search.ts';
import { actionsColumn } from '../ui/columns.tsx';
import type { Refused } from '../ui/form-state.ts';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { PickerForm, typedInto } from '../ui/picker-form.tsx';
import styles from './picker.module.css';
import {
  classifyColumn,
  fileActions,
  fileColumn,
  nameColumn,
  ownerColumn,
  typeColumn,
  WareFilters,
} from './ware-columns.tsx';

interface PickerProps {
  view: Pick<ListView, 'pathname' | 'kept' | 'reset' | 'here'> & { filter: WareFilter };
  wares: Page<WareRow>;
  classifies: WareClassify[];
  chosen: readonly number[];
  given?: readonly number[];
  closeHref: string;
  idempotencyKey: string;
  refused: Refused | undefined;
}

/** The ticked wares, each once; at most 200. */
export function chosenWares(from: { getAll(name: string): unknown[] }): number[] {
  const ids = from.getAll('ware_id').flatMap((id) => idOf(id) ?? []);
  return [...new Set(ids)].slice(0, 200);
}

export function CoursewarePicker(props: PickerProps) {
  const { view, wares, classifies, given = [], closeHref, idempotencyKey, refused } = props;
  const again = typedInto(refused);
  const chosen = again ? chosenWares(again) : props.chosen;
  const ticked = new Set(chosen);
  const here = new Set(wares.list.map(({ id }) => id));
  const elsewhere = chosen.filter((id) => !here.has(id));
  const last = Math.max(1, Math.ceil(wares.total / wares.limit));
  const travels = new URLSearchParams([...view.kept, ...elsewhere.map((id) => ['ware_id', String(id)])]);
  return (
    <PickerForm
      label="选择课件"
      href={`${view.pathname}?${travels}`}
      action={view.here}
      closeHref={closeHref}
      idempotencyKey={idempotencyKey}
      refused={refused}
      count={
        <>
          已选 {chosen.length} 个课件
          {elsewhere.length > 0 && `（其中 ${elsewhere.length} 个在其他页）`}
        </>
      }
    >
      <div className={styles.filters}>
        <WareFilters filter={view.filter} classifies={classifies} />
        <div>
          <Button type="submit" variant="default">
            查询
          </Button>
          <Button component="a" href={view.reset} variant="default">
            重置
          </Button>
        </div>
      </div>
      <ListTable
        caption="可选课件"
        columns={columnsFor(ticked, new Set(given))}
        rows={wares.list}
        rowKey={({ id }) => id}
        empty="没有符合条件的课件"
      />
      <div className={styles.foot}>
        <span>
          共 {wares.total} 条，第 {Math.min(wares.page, last)} / {last} 页
        </span>
        <Button type="submit" name="page" value={wares.page - 1} disabled={wares.page <= 1} variant="default">
          上一页
        </Button>
        <Button type="submit" name="page" value={wares.page + 1} disabled={wares.page >= last} variant="default">
          下一页
        </Button>
      </div>
    </PickerForm>
  );
}

function columnsFor(ticked: ReadonlySet<number>, given: ReadonlySet<number>): Column<WareRow>[] {
  return [
    {
      key: 'choose',
      header: '选择',
      nowrap: true,
      cell: (row) =>
        given.has(row.id) ? (
          '已添加'
        ) : (
          <input
            type="checkbox"
            name="ware_id"
            value={row.id}
            id={`ware-${row.id}`}
            defaultChecked={ticked.has(row.id)}
            aria-label={`选择${row.ware_name}`}
          />
        ),
    },
    nameColumn((row) => row.ware_desc),
    typeColumn,
    classifyColumn,
    fileColumn,
    ownerColumn,
    actionsColumn(fileActions, { minWidth: 80 }),
  ];
}
