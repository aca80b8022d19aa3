/** Dialog that picks questions of the banks for a section of a paper. */
import { showAdminExam, showAdminPaper } from '#server/exams/admin.contract.ts';
import { addBankQuestions, examBankChoices, listExamBank } from '#server/exams/composing.contract.ts';
import { composingMessages, type examBanks } from '#server/exams/rules.ts';
import { api } from '../../api/client.server.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { pickerPage } from '../../lib/picker-pages.ts';
import { BankPicker } from '../../questions/bank-picker.tsx';
import { questionTypeChoices } from '../../questions/terms.ts';
import { finishForm, handlePickerForm } from '../../shell/form-action.server.ts';
import { requireAllowed, requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { choicesOf, FilterField } from '../../ui/filter-form.tsx';
import { examPaper, examPick } from '../screens.ts';
import type { Route } from './+types/pick';

export const meta: Route.MetaFunction = () => titleMeta('选择题目');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, addBankQuestions);
  const client = context.get(api);
  const view = examPick.at(url);
  const params = { id: examPaper.at(url).id };
  const { ques_stem, ques_type, facility_value, point_id, point_name, owner_id, limit } = view.filter;
  const [exam, { sources }, choices] = await Promise.all([
    client.send(showAdminExam, { params }),
    client.send(showAdminPaper, { params }),
    client.send(examBankChoices, { query: { point_id, point_name } }),
  ]);
  requireAllowed(context, exam.refusals.paper);
  const { section } = view.place;
  const bank = view.place.bank === 'public' && !choices.offers_public ? 'mine' : view.place.bank;
  const isPublic = bank === 'public';
  const filter = { ques_stem, ques_type, facility_value, point_id: isPublic ? point_id : undefined };
  const { list, ...range } = await client.send(listExamBank, {
    query: { bank, owner_id, ...filter, page: pickerPage(view), limit },
  });
  return {
    bank,
    section,
    owner_id,
    choices,
    bankData: {
      filter: { ...filter, point_name: isPublic ? point_name : undefined },
      points: isPublic ? choices.points : [],
      isPart: isPublic && choices.is_part === 1,
      rows: list,
      ...range,
      picked: pickedIds(url.searchParams),
      present: sources,
    },
    closeHref: examPick.behind(url),
  };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handlePickerForm(
    sent,
    (picked) => (picked === 0 ? composingMessages.noQuestions : undefined),
    async (client, ids, form) => {
      const outcome = await client.ask(addBankQuestions, {
        params: { id: examPaper.at(url).id },
        body: { section_id: examPick.at(url).place.section, ids },
      });
      return finishForm(sent.context, outcome, examPick.behind(url), form);
    },
  );

const names: Record<(typeof examBanks)[number], string> = {
  public: '公共题库',
  mine: '我的题库',
  colleague: '老师的题库',
};

export default function PickExamQuestions({ loaderData, actionData }: Route.ComponentProps) {
  const { bank, section, owner_id, choices, bankData, closeHref } = loaderData;
  const { filter } = bankData;
  const owner = bank === 'colleague' ? owner_id : undefined;
  const banks = (['public', 'mine', 'colleague'] as const).filter((one) => one !== 'public' || choices.offers_public);
  return (
    <BankPicker
      data={bankData}
      refused={actionData}
      closeHref={closeHref}
      hrefs={{
        search: (picked) => examPick.href(closeHref, { bank, section, point_id: filter.point_id, picked }),
        post: examPick.href(closeHref, { bank, section, owner_id: owner, ...filter, page: bankData.page }),
      }}
      bank={bank}
      banks={banks.map((one) => [one, names[one]] as const)}
      types={questionTypeChoices}
      filters={
        bank === 'colleague' && (
          <FilterField label="老师" name="owner_id" value={owner_id} choices={choicesOf(choices.colleagues)} />
        )
      }
      noteHeader="知识点"
      empty={bank === 'colleague' && owner_id === undefined ? '请选择老师' : '没有符合条件的题目'}
      linked={false}
    />
  );
}
