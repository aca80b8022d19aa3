/** List of submitted handouts, to approve or reject. */
import { Alert, Button } from '@mantine/core';
import {
  type HandoutRow,
  handoutSchools,
  listHandouts,
  undoableHandouts,
  undoHandouts,
} from '#server/sessions/handouts.contract.ts';
import { api } from '../../api/client.server.ts';
import { idempotencyField } from '../../lib/form-data.ts';
import { finishForm, readButton, readPostedForm } from '../../shell/form-action.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { AddressForm } from '../../ui/address-form.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment, timeColumn } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { UndoLine } from '../../ui/undo-line.tsx';
import { handoutDecision, handoutFile, handoutList } from '../screens.ts';
import { handoutReviewChoices, handoutReviewTones, handoutStatusNames } from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('讲义审核');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listHandouts);
  const client = context.get(api);
  const [handouts, schools, undoable] = await Promise.all([
    client.send(listHandouts, { filter: { ...handoutList.at(url).filter, ids: [] } }),
    client.send(handoutSchools),
    client.send(undoableHandouts),
  ]);
  return { handouts, schools, undoable, idempotencyKey: crypto.randomUUID() };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await readPostedForm(request, context);
  const [, at = ''] = readButton(form, 'undo');
  const outcome = await context.get(api).ask(undoHandouts, {
    params: { at },
    idempotencyKey: idempotencyField(form),
  });
  return finishForm(context, outcome, handoutList.at(url).here, form);
}

/** Id of the form that the checkboxes of the rows belong to. */
const decisionForm = 'handout-decision';

export default function HandoutReview({ loaderData, actionData }: Route.ComponentProps) {
  const { handouts, schools, undoable, idempotencyKey } = loaderData;
  const view = useAddress(handoutList);
  const { filter } = view;
  const waits = handouts.list.some(({ status }) => status === 3);
  return (
    <Screen title="讲义审核">
      {actionData && <Alert>{actionData.msg}</Alert>}
      {undoable.map(({ at, status, count, name, until }) => (
        <UndoLine
          key={`${at} ${status}`}
          did={`已${status === 1 ? '通过' : '驳回'} ${count} 份讲义（${name}${count > 1 ? '等' : ''}）`}
          until={until}
          id={at}
          action={view.here}
          idempotencyKey={`${idempotencyKey} ${at}`}
        />
      ))}
      <List<HandoutRow>
        view={view}
        result={handouts}
        caption="讲义列表"
        columns={[
          {
            key: 'choose',
            header: <span className="visually-hidden">选择</span>,
            cell: (row) =>
              row.status === 3 && (
                <input
                  type="checkbox"
                  form={decisionForm}
                  name="ids"
                  value={row.id}
                  aria-label={`选择${row.class_name}的讲义${row.file_name}`}
                />
              ),
          },
          {
            key: 'name',
            header: '讲义',
            minWidth: 200,
            phone: 'name',
            cell: (row) => <a href={handoutFile.href({ id: row.id })}>{row.file_name}</a>,
          },
          {
            key: 'lesson',
            header: '班级/课程',
            minWidth: 180,
            phone: 'line',
            cell: (row) => (
              <>
                {row.class_name}
                <SubLine>
                  {row.course_title}
                  {schools.length > 1 && ` · ${row.school_name}`}
                </SubLine>
              </>
            ),
          },
          { key: 'lecturer', header: '讲师', minWidth: 80, cell: (row) => row.lecturer },
          timeColumn('start', '上课时间', (row) => row.start_time),
          {
            key: 'uploaded',
            header: '上传',
            minWidth: 100,
            cell: (row) => (
              <>
                {row.uploaded_by}
                <SubLine>
                  <NearMoment at={row.uploaded_at} />
                </SubLine>
              </>
            ),
          },
          {
            key: 'status',
            header: '状态',
            minWidth: 120,
            phone: 'bare',
            cell: (row) => (
              <>
                <Tag tone={handoutReviewTones[row.status]}>{handoutStatusNames[row.status]}</Tag>
                {row.decided_by && (
                  <SubLine>
                    {row.decided_by} <NearMoment at={row.decided_at ?? 0} />
                  </SubLine>
                )}
                {row.file_remark && <SubLine>{row.file_remark}</SubLine>}
              </>
            ),
          },
          actionsColumn((row) => {
            const recordName = `${row.class_name}，${row.file_name}`;
            if (row.status !== 3) return [{ label: '查看', recordName, href: handoutFile.href({ id: row.id }) }];
            return [
              { label: '通过', recordName, href: handoutDecision.href(view.here, { ids: [row.id], status: 1 }) },
              {
                label: '驳回',
                recordName,
                href: handoutDecision.href(view.here, { ids: [row.id], status: 4 }),
                danger: true,
              },
            ];
          }),
        ]}
        nothing="没有待审核的讲义"
        nothingFound="没有符合条件的讲义"
        filters={{
          first: [
            { label: '讲义、班级、讲师', name: 'name', value: filter.name },
            { label: '状态', name: 'state', value: filter.state, choices: handoutReviewChoices, unchosen: '待审核' },
          ],
          more: [
            schools.length > 1 && {
              label: '学校',
              name: 'school_id',
              value: filter.school_id,
              choices: choicesOf(schools),
            },
            { label: '上课日期', from: ['start', filter.start], to: ['end', filter.end] },
          ],
          unfiltered: '待审核',
          presets: [
            { label: '已通过', filter: { state: 'approved' } },
            { label: '已驳回', filter: { state: 'rejected' } },
          ],
        }}
        actions={
          // A GET form: opens the confirmation dialog with the ticked handouts.
          <AddressForm id={decisionForm} href={handoutDecision.href(view.here)}>
            <Button type="submit" name="status" value="1" disabled={!waits}>
              批量通过
            </Button>
            <Button type="submit" name="status" value="4" variant="default" disabled={!waits}>
              批量驳回
            </Button>
          </AddressForm>
        }
      />
    </Screen>
  );
}
