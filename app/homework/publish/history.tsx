/** Dialog that copies questions from earlier homework. */
import { type EarlierHomework, earlierHomework, earlierQuestions } from '#server/homework/copies.contract.ts';
import { earlierHomeworkFault, recalledStatus } from '#server/homework/rules.ts';
import { api } from '../../api/client.server.ts';
import { pickedIds } from '../../lib/picked-ids.ts';
import { pickerPage } from '../../lib/picker-pages.ts';
import { handlePickerForm, refusedForm } from '../../shell/form-action.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { numberColumn } from '../../ui/columns.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FilterField, PickerFilters } from '../../ui/filter-form.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { timeColumn } from '../../ui/moment.tsx';
import { FormPager } from '../../ui/pager.tsx';
import { PickerForm, refusedFields } from '../../ui/picker-form.tsx';
import { Tag } from '../../ui/tag.tsx';
import { pickEarlierHomework } from '../screens.ts';
import { homeworkTypeNames } from '../terms.ts';
import type { Route } from './+types/history';
import styles from './dialogs.work.module.css';
import { addQuestionsAndReturn } from './kept-form.server.ts';
import { questionFromHomework } from './load.server.ts';

export const meta: Route.MetaFunction = () => titleMeta('从历史作业选择');

export async function loader({ context, url }: Route.LoaderArgs) {
  const view = pickEarlierHomework.at(url);
  const filter = { ...view.filter, page: pickerPage(view) };
  const homework = await context.get(api).send(earlierHomework, { filter });
  return { name: filter.name, homework, picked: pickedIds(url.searchParams), ...pickEarlierHomework.opened(url) };
}

export const action = ({ url, ...sent }: Route.ActionArgs) =>
  handlePickerForm(sent, earlierHomeworkFault, async (client, picked, form) => {
    const questions = await client.ask(earlierQuestions, { params: { ids: picked.join(',') } });
    if (!questions.ok) return refusedForm(questions, form);
    const added = questions.data.map((question) => questionFromHomework(question, true));
    return addQuestionsAndReturn(sent.context, added, url);
  });

/** The checkboxes and the page links are in one form, so that ticks of other pages are never lost. */
export default function ChooseHistory({ loaderData, actionData }: Route.ComponentProps) {
  const { name, homework, closeHref } = loaderData;
  const again = refusedFields(actionData);
  const picked = again ? pickedIds(again) : loaderData.picked;
  const elsewhere = picked.filter((id) => !homework.list.some((row) => row.id === id));
  return (
    <Dialog title="从历史作业选择" closeHref={closeHref} width={980}>
      <PickerForm
        href={pickEarlierHomework.href(closeHref, { picked: elsewhere })}
        action={pickEarlierHomework.href(closeHref, { name, page: homework.page })}
        closeHref={closeHref}
        refused={actionData}
        picked={picked}
        count={(count) => <>已选 {count} 份作业</>}
      >
        <PickerFilters search={{ name: 'page', value: '1' }}>
          <FilterField label="作业名称" name="name" value={name} />
        </PickerFilters>
        <ListTable
          caption="历史作业"
          columns={columnsFor(new Set(picked))}
          rows={homework.list}
          rowKey={({ id }) => id}
          empty={name ? '没有符合条件的作业' : '暂无作业'}
        />
        <FormPager {...homework} />
      </PickerForm>
    </Dialog>
  );
}

function columnsFor(picked: Set<number>): Column<EarlierHomework>[] {
  return [
    {
      key: 'choose',
      header: '选择',
      cell: (row) => (
        <input
          // The key changes with the ticked state, so that a new address resets the checkbox.
          key={`${row.id}${picked.has(row.id)}`}
          type="checkbox"
          name="pick"
          value={row.id}
          id={`hw-${row.id}`}
          defaultChecked={picked.has(row.id)}
          className={styles.check}
          disabled={row.question_count === 0}
          aria-label={`选择${row.name}`}
        />
      ),
    },
    {
      key: 'name',
      header: '作业名称',
      minWidth: 180,
      cell: (row) => (
        <label htmlFor={`hw-${row.id}`}>
          {row.name}
          {row.status === recalledStatus && (
            <>
              {' '}
              <Tag tone="bad">已撤回</Tag>
            </>
          )}
        </label>
      ),
    },
    { key: 'course', header: '课程', minWidth: 120, cell: (row) => row.course_title },
    { key: 'period', header: '课时', minWidth: 100, cell: (row) => row.periods_title || '-' },
    { key: 'type', header: '类型', nowrap: true, cell: (row) => homeworkTypeNames[row.type] },
    numberColumn('count', '题数', (row) => row.question_count),
    { key: 'publisher', header: '发布人', minWidth: 60, cell: (row) => row.publisher_name },
    timeColumn('time', '发布时间', (row) => row.publish_time),
  ];
}
