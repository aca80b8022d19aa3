/** Dialog that picks questions for a homework, from the user's own bank or the public one. */
import type { publish } from '../homework/screens.ts';
import type { AddressOf } from '../lib/address.ts';
import { FilterField } from '../ui/filter-form.tsx';
import type { RefusedForm } from '../ui/form-state.ts';
import { type BankData, BankPicker } from './bank-picker.tsx';
import { type Picker, pickQuestions } from './screens.ts';
import { questionTypeChoices } from './terms.ts';

export interface PickerData extends BankData {
  bank: Picker['place']['bank'];
  offersPublic: boolean;
  /** Scores of imported questions, as the address holds them. */
  scores?: string | undefined;
  closeHref: AddressOf<typeof publish>;
  filter: Partial<
    Pick<Picker['filter'], 'ques_stem' | 'ques_type' | 'facility_value' | 'remark' | 'point_id' | 'point_name'>
  >;
}

interface QuestionPickerProps {
  data: PickerData;
  /** Error of a refused form (such as 请选择题目), together with the picked ids. */
  refused: RefusedForm | undefined;
}

const mine = ['mine', '我的题库'] as const;
const all = [mine, ['public', '公共题库']] as const;

export function QuestionPicker({ data, refused }: QuestionPickerProps) {
  const { bank, closeHref, filter, scores } = data;
  const isPublic = bank === 'public';
  const point_id = isPublic ? filter.point_id : undefined;
  return (
    <BankPicker
      data={data}
      refused={refused}
      closeHref={closeHref}
      hrefs={{
        search: (picked) => pickQuestions.href(closeHref, { bank, point_id, scores, picked }),
        post: pickQuestions.href(closeHref, { bank, ...filter, scores, page: data.page }),
      }}
      bank={bank}
      banks={data.offersPublic ? all : [mine]}
      types={questionTypeChoices}
      filters={!isPublic && <FilterField label="备注" name="remark" value={filter.remark} />}
      noteHeader={isPublic ? '知识点' : '备注'}
      linked
    />
  );
}
