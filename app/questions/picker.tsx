/**
 * The dialog that picks questions of one's own bank or of the public one (document 3, section 2). A route shows it over
 * its screen: loads `pickerData`, and takes the posted form's `pickedIds`.
 */
import type { KnowledgePoint, QuestionPreview, QuestionType } from '#server/questions/contract.ts';
import { searchOf } from '../lib/search.ts';
import { buttonClass } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { ChoiceFilter, TextFilter } from '../ui/filter-form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Stars } from '../ui/stars.tsx';
import styles from './picker.module.css';
import type { Bank } from './picker-address.ts';
import { PickerPager } from './picker-pager.tsx';
import { PointTree } from './point-tree.tsx';
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
  bank: Bank;
  offersPublic: boolean;
  /** The picker's own address, and the search params of the screen behind it. */
  path: string;
  behind: [string, string][];
  filter: { ques_stem?: string; ques_type?: number; facility_value?: number; remark?: string; point_id?: number };
  points: KnowledgePoint[];
  rows: PickerRow[];
  total: number;
  page: number;
  limit: number;
  picked: number[];
}

interface QuestionPickerProps {
  data: PickerData;
  /** The screen behind. */
  closeHref: string;
  /** Why the picker is shown again, such as 请选择题目, with what had been picked. */
  refusal?: { msg: string; picked: number[] } | undefined;
}

/** Pickers leave out fill-ins (document 3, section 3). */
const typeChoices = questionTypeChoices.filter(([type]) => type !== 7);

export function QuestionPicker({ data, closeHref, refusal }: QuestionPickerProps) {
  const { bank, path, behind, filter, points, rows } = data;
  const picked = refusal?.picked ?? data.picked;
  const isPublic = bank === 'public';
  const shown = new Set(rows.map(({ id }) => id));
  const elsewhere = picked.filter((id) => !shown.has(id));
  return (
    <Dialog title="选择题目" closeHref={closeHref} message={refusal?.msg} width={980}>
      <form action={path}>
        {/* Enter in a filter presses the first button: that is searching. */}
        <button type="submit" name="page" value="1" className="visually-hidden" tabIndex={-1} aria-hidden="true">
          查询
        </button>
        <HiddenFields
          fields={[
            ...behind,
            ['bank', bank],
            ...(elsewhere.length > 0 ? [['picked', elsewhere.join(',')] as const] : []),
            ...(isPublic && filter.point_id ? [['point_id', String(filter.point_id)] as const] : []),
          ]}
        />
        {data.offersPublic && <BankTabs bank={bank} />}
        <div className={styles.filters}>
          <TextFilter label="题干" name="ques_stem" value={filter.ques_stem} />
          <ChoiceFilter label="题型" name="ques_type" value={filter.ques_type} choices={typeChoices} />
          <ChoiceFilter label="难度" name="facility_value" value={filter.facility_value} choices={facilityChoices} />
          {!isPublic && <TextFilter label="备注" name="remark" value={filter.remark} />}
          <button type="submit" name="page" value="1" className={`${buttonClass('plain')} ${styles.search}`}>
            查询
          </button>
        </div>
        <div className={isPublic && points.length > 0 ? styles.withTree : undefined}>
          {isPublic && points.length > 0 && <PointTree points={points} chosen={filter.point_id} />}
          <ListTable
            caption={isPublic ? '公共题库' : '我的题库'}
            columns={columnsFor(new Set(picked), isPublic)}
            rows={rows}
            rowKey={({ id }) => id}
            overlaid
            empty="没有符合条件的题目"
          />
        </div>
        <PickerPager {...data} />
        <DialogActions>
          <span className={styles.count} role="status">
            已选 {picked.length} 题
            {picked.length > 0 && (
              <button type="submit" name="clear" value="1" className={styles.clear}>
                清空
              </button>
            )}
          </span>
          <a href={closeHref} className={buttonClass('plain')}>
            取消
          </a>
          <button
            type="submit"
            formMethod="post"
            formAction={path + searchOf({ ...Object.fromEntries(behind), bank, ...filter, page: data.page })}
            className={buttonClass('primary')}
          >
            确定
          </button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function BankTabs({ bank }: { bank: Bank }) {
  const tabs = [
    ['mine', '我的题库'],
    ['public', '公共题库'],
  ] as const;
  return (
    <fieldset className={styles.tabs} aria-label="题库">
      {tabs.map(([value, label]) => (
        <button
          key={value}
          type="submit"
          name="bank"
          value={value}
          aria-pressed={value === bank}
          className={styles.tab}
        >
          {label}
        </button>
      ))}
    </fieldset>
  );
}

function columnsFor(picked: Set<number>, isPublic: boolean): Column<PickerRow>[] {
  return [
    {
      key: 'pick',
      header: <span className="visually-hidden">选择</span>,
      cell: ({ id, stem_text }) => (
        <input
          // Ticked anew where the address says something else than the page did.
          key={`${id}${picked.has(id)}`}
          type="checkbox"
          name="pick"
          value={id}
          defaultChecked={picked.has(id)}
          aria-label={`选择：${stem_text.slice(0, 30)}`}
          className={styles.check}
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
      cell: ({ facility_value }) => <Stars filled={facility_value} label={`难度 ${facility_value} 星`} />,
    },
    { key: 'note', header: isPublic ? '知识点' : '备注', minWidth: 100, cell: ({ note }) => note || '-' },
  ];
}
