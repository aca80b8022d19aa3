/**
 * List to pick courseware of the library. The route loads the page of the list (`pickerPage`) and the picked ids, and
 * handles the posted `pickedIds`.
 */
import type { MaterialClassify, MaterialFilter, MaterialRow } from '#server/courseware/contract.ts';
import type { Page } from '#server/platform/calls/rules.ts';
import type { ValuesOf } from '../lib/address.ts';
import type { ListView } from '../lib/list-view.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import type { pickerParams } from '../lib/picker-pages.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { FilterField, PickerFilters } from '../ui/filter-form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { FormPager } from '../ui/pager.tsx';
import { PickerForm, refusedFields } from '../ui/picker-form.tsx';
import {
  classifyColumn,
  fileActions,
  fileColumn,
  materialFilters,
  nameColumn,
  ownerColumn,
  typeColumn,
} from './material-columns.tsx';

interface PickerProps {
  view: ListView<ValuesOf<typeof pickerParams>, MaterialFilter>;
  wares: Page<MaterialRow>;
  classifies: MaterialClassify[];
  picked: readonly number[];
  /** Ids of courseware that is already added. */
  attachedIds: readonly number[];
  closeHref: string;
  idempotencyKey: string;
  refused: RefusedForm | undefined;
}

/** Query parameters that the fields of the form replace. */
const pickerFields = { pick: undefined, picked: undefined, clear: undefined, jump: undefined, go: undefined };
const searched = { ware_name: undefined, classify_id: undefined, ware_type: undefined, is_own: undefined };

export function CoursewarePicker(props: PickerProps) {
  const { view, wares: materials, classifies, attachedIds, closeHref, idempotencyKey, refused } = props;
  const again = refusedFields(refused);
  const picked = again ? pickedIds(again) : props.picked;
  const ticked = new Set(picked);
  const here = new Set(materials.list.map(({ id }) => id));
  const elsewhere = picked.filter((id) => !here.has(id));
  return (
    <PickerForm
      label="选择课件"
      href={view.with({ ...pickerFields, ...searched, page: undefined, picked: elsewhere })}
      action={view.with({ ...pickerFields, page: materials.page })}
      closeHref={closeHref}
      idempotencyKey={idempotencyKey}
      refused={refused}
      picked={picked}
      count={(count) => (
        <>
          已选 {count} 个课件
          {elsewhere.length > 0 && `（其中 ${elsewhere.length} 个在其他页）`}
        </>
      )}
    >
      <PickerFilters resetHref={view.reset}>
        {materialFilters(view.filter, classifies).map((filter) => (
          <FilterField key={filter.label} {...filter} />
        ))}
      </PickerFilters>
      <ListTable
        caption="可选课件"
        columns={columnsFor(ticked, new Set(attachedIds))}
        rows={materials.list}
        rowKey={({ id }) => id}
        empty="没有符合条件的课件"
      />
      <FormPager {...materials} />
    </PickerForm>
  );
}

function columnsFor(ticked: ReadonlySet<number>, attachedIds: ReadonlySet<number>): Column<MaterialRow>[] {
  return [
    {
      key: 'choose',
      header: '选择',
      nowrap: true,
      cell: (row) =>
        attachedIds.has(row.id) ? (
          '已添加'
        ) : (
          <input
            // The key changes with the ticked state, so that a new address resets the checkbox.
            key={`${row.id}${ticked.has(row.id)}`}
            type="checkbox"
            name="pick"
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
    actionsColumn(fileActions),
  ];
}
