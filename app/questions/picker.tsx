/**
 * The dialog that picks questions of one's own bank or of the public one. A route shows it over its screen: loads
 * `pickerData`, and takes the posted form's `pickedIds`.
 */
import type { KnowledgePoint, QuestionPreview } from '#server/questions/contract.ts';
import type { QuestionType } from '#server/questions/rules.ts';
import type { publish } from '../homework/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { pickedIds } from '../lib/picked.ts';
import { AddressButton } from '../ui/address-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ChoiceFilter, PickerFilters, TextFilter } from '../ui/filter-form.tsx';
import type { Refused } from '../ui/form-state.ts';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { FormPager } from '../ui/pager.tsx';
import { PickerForm, typedInto } from '../ui/picker-form.tsx';
import { Tag } from '../ui/tag.tsx';
import { Difficulty } from './difficulty.tsx';
import styles from './picker.module.css';
import { PointTree } from './point-tree.tsx';
import { type Picker, pickQuestions } from './screens.ts';
import { StemPreview } from './stem-preview.tsx';
import { facilityChoices, questionTypeChoices, questionTypeNames } from './terms.ts';

export interface PickerRow {
  id: number;
  stem_text: string;
  ques_type: QuestionType;
  facility_value: number;
  preview?: QuestionPreview;
  /** The remark of an own question, the knowledge point of a public one. */
  note: string;
}

export interface PickerData {
  bank: Picker['place']['bank'];
  offersPublic: boolean;
  closeHref: AddressOf<typeof publish>;
  filter: Partial<Pick<Picker['filter'], 'ques_stem' | 'ques_type' | 'facility_value' | 'remark' | 'point_id'>>;
  points: KnowledgePoint[];
  rows: PickerRow[];
  total: number;
  page: number;
  limit: number;
  picked: number[];
  /** Questions of the bank that the homework has already. */
  present: readonly number[];
}

interface QuestionPickerProps {
  data: PickerData;
  /** Such as 请选择题目, with what had been picked. */
  refused: Refused | undefined;
}

/** Pickers leave out fill-ins. */
const typeChoices = questionTypeChoices.filter(([type]) => type !== 7);

export function QuestionPicker({ data, refused }: QuestionPickerProps) {
  const { bank, closeHref, filter, points, rows } = data;
  const again = typedInto(refused);
  const picked = again ? pickedIds(again) : data.picked;
  const isPublic = bank === 'public';
  const shown = new Set(rows.map(({ id }) => id));
  const elsewhere = picked.filter((id) => !shown.has(id));
  return (
    <Dialog title="选择题目" closeHref={closeHref} width={980}>
      <PickerForm
        href={pickQuestions.href(closeHref, {
          bank,
          point_id: isPublic ? filter.point_id : undefined,
          picked: elsewhere,
        })}
        action={pickQuestions.href(closeHref, { bank, ...filter, page: data.page })}
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
        {/* Enter in a filter presses the first button: that is searching. */}
        <button type="submit" name="page" value="1" className="visually-hidden" tabIndex={-1} aria-hidden="true">
          查询
        </button>
        {data.offersPublic && <BankTabs bank={bank} />}
        <PickerFilters search={{ name: 'page', value: '1' }}>
          <TextFilter label="题干" name="ques_stem" value={filter.ques_stem} />
          <ChoiceFilter label="题型" name="ques_type" value={filter.ques_type} choices={typeChoices} />
          <ChoiceFilter label="难度" name="facility_value" value={filter.facility_value} choices={facilityChoices} />
          {!isPublic && <TextFilter label="备注" name="remark" value={filter.remark} />}
        </PickerFilters>
        <p className={styles.note}>填空题不能布置为作业，未列出。</p>
        <div className={isPublic && points.length > 0 ? styles.withTree : undefined}>
          {isPublic && points.length > 0 && <PointTree points={points} chosen={filter.point_id} />}
          <ListTable
            caption={isPublic ? '公共题库' : '我的题库'}
            columns={columnsFor({ picked: new Set(picked), present: new Set(data.present) }, isPublic)}
            rows={rows}
            rowKey={({ id }) => id}
            overlaid
            empty="没有符合条件的题目"
          />
        </div>
        <FormPager {...data} />
      </PickerForm>
    </Dialog>
  );
}

function BankTabs({ bank }: Pick<PickerData, 'bank'>) {
  const tabs = [
    ['mine', '我的题库'],
    ['public', '公共题库'],
  ] as const;
  return (
    <fieldset className={styles.tabs} aria-label="题库">
      {tabs.map(([value, label]) => (
        <AddressButton key={value} name="bank" value={value} aria-pressed={value === bank} className={styles.tab}>
          {label}
        </AddressButton>
      ))}
    </fieldset>
  );
}

interface Ticks {
  picked: ReadonlySet<number>;
  present: ReadonlySet<number>;
}

function columnsFor({ picked, present }: Ticks, isPublic: boolean): Column<PickerRow>[] {
  return [
    {
      key: 'pick',
      header: <span className="visually-hidden">选择</span>,
      cell: ({ id, stem_text }) =>
        present.has(id) ? (
          <Tag>已添加</Tag>
        ) : (
          <input
            // Ticked anew where the address says something else than the page did.
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
      cell: ({ id, stem_text, preview }) => <StemPreview id={id} text={stem_text} preview={preview} inNewTab />,
    },
    { key: 'ques_type', header: '题型', nowrap: true, cell: ({ ques_type }) => questionTypeNames[ques_type] },
    {
      key: 'facility_value',
      header: '难度',
      nowrap: true,
      cell: ({ facility_value }) => <Difficulty value={facility_value} />,
    },
    { key: 'note', header: isPublic ? '知识点' : '备注', minWidth: 100, cell: ({ note }) => note || '-' },
  ];
}
