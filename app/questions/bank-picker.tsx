/**
 * Dialog that picks questions across pages and banks. The route that uses it adds its own filters, loads the data and
 * handles the posted `pickedIds`.
 */
import type { ReactNode } from 'react';
import type { PartialPoint, QuestionPreview } from '#server/questions/contract.ts';
import type { QuestionType } from '#server/questions/rules.ts';
import { pickedIds } from '../lib/picked-ids.ts';
import { AddressButton } from '../ui/address-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FilterField, PickerFilters } from '../ui/filter-form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { FormPager } from '../ui/pager.tsx';
import { PickerForm, refusedFields } from '../ui/picker-form.tsx';
import { Tag } from '../ui/tag.tsx';
import { Difficulty } from './difficulty.tsx';
import styles from './picker.work.module.css';
import { PointTree } from './point-tree.tsx';
import { StemPreview } from './stem-preview.tsx';
import { formDifficultyChoices, questionTypeNames } from './terms.ts';

export interface PickerRow {
  id: number;
  stem_text: string;
  ques_type: QuestionType;
  facility_value: number;
  preview?: QuestionPreview | undefined;
  /** Text of the extra column, such as the knowledge point of a public question. */
  note: string;
}

export interface BankFilter {
  ques_stem?: string | undefined;
  ques_type?: number | undefined;
  facility_value?: number | undefined;
  point_id?: number | undefined;
  /** Search text for names of knowledge points, if their tree is large. */
  point_name?: string | undefined;
}

export interface BankData {
  filter: BankFilter;
  points: PartialPoint[];
  /** True if `points` is only a part of the tree. */
  isPart: boolean;
  rows: PickerRow[];
  total: number;
  page: number;
  limit: number;
  picked: number[];
  /** Ids of questions that were added earlier. */
  present: readonly number[];
}

interface BankPickerProps<Bank extends string> {
  data: BankData;
  /** Error of a refused form (such as 请选择题目), together with the picked ids. */
  refused: RefusedForm | undefined;
  closeHref: string;
  /** Addresses of the form. `search`: keeps the ids picked on other pages. `post`: takes the posted form. */
  hrefs: { search: (picked: number[]) => string; post: string };
  bank: Bank;
  /** Question banks with their names. If there is only one, no tabs are shown. */
  banks: readonly (readonly [bank: Bank, name: string])[];
  types: readonly (readonly [type: number, name: string])[];
  filters?: ReactNode;
  note?: string;
  /** Header of the column `note`. */
  noteHeader: string;
  empty?: string;
  /** True if the user may open the page of a question. */
  linked: boolean;
}

export function BankPicker<Bank extends string>(props: BankPickerProps<Bank>) {
  const { data, refused, closeHref, hrefs, bank, banks, types, note, noteHeader, linked } = props;
  const { filter, points, rows } = data;
  const again = refusedFields(refused);
  const picked = again ? pickedIds(again) : data.picked;
  const shown = new Set(rows.map(({ id }) => id));
  const elsewhere = picked.filter((id) => !shown.has(id));
  const hasTree = points.length > 0 || data.isPart;
  const bankName = banks.find(([one]) => one === bank)?.[1] ?? '';
  return (
    <Dialog title="选择题目" closeHref={closeHref} width={980}>
      <PickerForm
        href={hrefs.search(elsewhere)}
        action={hrefs.post}
        closeHref={closeHref}
        refused={refused}
        picked={picked}
        count={(count) => (
          <>
            已选 {count} 题
            {picked.length > 0 && (
              <AddressButton name="clear" value="1" className={styles.clear}>
                清空
              </AddressButton>
            )}
          </>
        )}
      >
        {/* Enter in a filter field presses the form's first button, so the first one is a hidden button that searches. */}
        <button type="submit" name="page" value="1" className="visually-hidden" tabIndex={-1} aria-hidden="true">
          查询
        </button>
        {banks.length > 1 && (
          <fieldset className={styles.tabs} aria-label="题库">
            {banks.map(([value, label]) => (
              <AddressButton key={value} name="bank" value={value} aria-pressed={value === bank} className={styles.tab}>
                {label}
              </AddressButton>
            ))}
          </fieldset>
        )}
        <PickerFilters search={{ name: 'page', value: '1' }}>
          <FilterField label="题干" name="ques_stem" value={filter.ques_stem} />
          <FilterField label="题型" name="ques_type" value={filter.ques_type} choices={types} />
          <FilterField
            label="难度"
            name="facility_value"
            value={filter.facility_value}
            choices={formDifficultyChoices}
          />
          {props.filters}
          {data.isPart && <FilterField label="查找知识点" name="point_name" value={filter.point_name} />}
        </PickerFilters>
        {note && <p className={styles.note}>{note}</p>}
        <div className={hasTree ? styles.withTree : undefined}>
          {hasTree && (
            <PointTree
              points={points}
              chosen={filter.point_id}
              isFound={data.isPart && filter.point_name !== undefined}
            />
          )}
          <ListTable
            caption={bankName}
            columns={columnsFor({ picked: new Set(picked), present: new Set(data.present) }, { noteHeader, linked })}
            rows={rows}
            rowKey={({ id }) => id}
            overlaid
            empty={props.empty ?? '没有符合条件的题目'}
          />
        </div>
        <FormPager {...data} />
      </PickerForm>
    </Dialog>
  );
}

interface Ticks {
  picked: ReadonlySet<number>;
  present: ReadonlySet<number>;
}

function columnsFor(
  { picked, present }: Ticks,
  { noteHeader, linked }: { noteHeader: string; linked: boolean },
): Column<PickerRow>[] {
  return [
    {
      key: 'pick',
      header: <span className="visually-hidden">选择</span>,
      cell: ({ id, stem_text }) =>
        present.has(id) ? (
          <Tag>已添加</Tag>
        ) : (
          <input
            // The key changes with the ticked state, so that the checkbox is reset when the address changes.
            key={`${id}${picked.has(id)}`}
            type="checkbox"
            name="pick"
            value={id}
            defaultChecked={picked.has(id)}
            aria-label={`选择：${stem_text.slice(0, 30)}`}
          />
        ),
    },
    {
      key: 'ques_stem',
      header: '题干',
      minWidth: 240,
      cell: ({ id, stem_text, preview }) => (
        <StemPreview id={id} text={stem_text} preview={preview} inNewTab unlinked={!linked} />
      ),
    },
    { key: 'ques_type', header: '题型', nowrap: true, cell: ({ ques_type }) => questionTypeNames[ques_type] },
    {
      key: 'facility_value',
      header: '难度',
      nowrap: true,
      cell: ({ facility_value }) => <Difficulty value={facility_value} />,
    },
    { key: 'note', header: noteHeader, minWidth: 100, cell: ({ note }) => note || '-' },
  ];
}
