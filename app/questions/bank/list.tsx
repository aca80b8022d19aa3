/** List of all questions for administrators: which of them are public, and their knowledge points. */
import { Button } from '@mantine/core';
import { type BankQuestion, bankPoints, listBank } from '#server/questions/bank.contract.ts';
import { api } from '../../api/client.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { AddressForm } from '../../ui/address-form.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { List } from '../../ui/list.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { bankQuestionDetail, bankQuestionList, questionMoving, questionSharing } from '../screens.ts';
import { difficultyChoices, difficultyName, pointChoices, questionTypeChoices, questionTypeName } from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('题库管理');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listBank);
  const client = context.get(api);
  const [questions, points] = await Promise.all([
    client.send(listBank, { filter: bankQuestionList.at(url).filter }),
    client.send(bankPoints),
  ]);
  return { questions, points: pointChoices(points) };
}

/**
 * Id of the form to which the checkboxes of the rows belong. The pressed button says what to do with the ticked rows.
 */
const selectionForm = 'bank-choice';

export default function Bank({ loaderData: { questions, points } }: Route.ComponentProps) {
  const view = useAddress(bankQuestionList);
  const { filter } = view;
  const isPublic = filter.bank !== 'own';
  const sharing = questionSharing.href(view.here, { shared: isPublic ? 0 : 1 });
  return (
    <Screen title="题库管理">
      <List<BankQuestion>
        view={view}
        result={questions}
        caption="题目列表"
        columns={[
          {
            key: 'choose',
            header: <span className="visually-hidden">选择</span>,
            cell: (row) => (
              <input
                type="checkbox"
                form={selectionForm}
                name="chosen"
                value={row.id}
                aria-label={`选择题目${row.stem_text}`}
              />
            ),
          },
          {
            key: 'stem',
            header: '题干',
            minWidth: 280,
            phone: 'name',
            cell: (row) => (
              <a href={bankQuestionDetail.href({ id: row.id })} data-written>
                {row.stem_text || '（图片或公式）'}
              </a>
            ),
          },
          {
            key: 'type',
            header: '题型',
            nowrap: true,
            cell: (row) => (
              <>
                {questionTypeName(row.ques_type)}
                <SubLine>{difficultyName(row.facility_value)}</SubLine>
              </>
            ),
          },
          { key: 'point', header: '知识点', minWidth: 100, cell: (row) => row.point_name || '-' },
          {
            key: 'owner',
            header: '所有者',
            minWidth: 100,
            cell: (row) => (
              <>
                {row.owner}
                <SubLine>{row.school_name}</SubLine>
              </>
            ),
          },
          {
            key: 'public',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: (row) => (
              <Tag tone={row.is_public === 1 ? 'good' : 'plain'}>{row.is_public === 1 ? '公共' : '未公开'}</Tag>
            ),
          },
          timeColumn('updated', '更新时间', (row) => row.updated_at),
          actionsColumn((row) => [
            {
              label: '移动',
              recordName: row.stem_text,
              href: questionMoving.href(view.here, { chosen: [row.id] }),
            },
            {
              label: row.is_public === 1 ? '撤回' : '设为公共',
              recordName: row.stem_text,
              href: questionSharing.href(view.here, { chosen: [row.id], shared: row.is_public === 1 ? 0 : 1 }),
              danger: row.is_public === 1,
            },
          ]),
        ]}
        nothing="公共题库中还没有题目"
        nothingFound="没有符合条件的题目"
        filters={{
          first: [
            { label: '题干', name: 'ques_stem', value: filter.ques_stem },
            { label: '所有者', name: 'owner', value: filter.owner },
            {
              label: '题库',
              name: 'bank',
              value: filter.bank,
              choices: [['own', '未公开的题目']],
              unchosen: '公共题库',
            },
          ],
          more: [
            { label: '知识点', name: 'point_id', value: filter.point_id, choices: points },
            { label: '题型', name: 'ques_type', value: filter.ques_type, choices: questionTypeChoices },
            { label: '难度', name: 'facility_value', value: filter.facility_value, choices: difficultyChoices },
          ],
          unfiltered: '公共题库',
          presets: [{ label: '未公开的题目', filter: { bank: 'own' } }],
        }}
        actions={
          <AddressForm id={selectionForm} href={sharing}>
            <Button type="submit" disabled={questions.list.length === 0}>
              {isPublic ? '批量撤回' : '批量设为公共'}
            </Button>
            <Button
              type="submit"
              variant="default"
              formAction={questionMoving.href(view.here).split('?')[0]}
              disabled={questions.list.length === 0}
            >
              批量移动
            </Button>
          </AddressForm>
        }
      />
    </Screen>
  );
}
