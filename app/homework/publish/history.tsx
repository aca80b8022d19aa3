/** The dialog that takes over the questions of earlier homework (document 1, sections 2 and 5). */
import { data } from 'react-router';
import {
  type EarlierHomework,
  EarlierHomeworkFilter,
  earlierHomework,
  earlierQuestions,
} from '#server/homework/contract.ts';
import { api } from '../../api.server.ts';
import { formatTime } from '../../lib/dates.ts';
import { listSearch, readSearch } from '../../lib/search.ts';
import { useTimezone } from '../../shell/use-school.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { controlClass } from '../../ui/field.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { type Column, ListTable } from '../../ui/list-table.tsx';
import { Pager } from '../../ui/pager.tsx';
import { homeworkTypeNames } from '../terms.ts';
import type { Route } from './+types/history';
import { backWith, closeHref, formBehind } from './chosen.server.ts';
import styles from './dialogs.module.css';
import { withQuestions } from './form.ts';
import { questionFromHomework } from './load.server.ts';

export const meta: Route.MetaFunction = () => [{ title: '从历史作业选择 · 教学后台' }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const filter = readSearch(EarlierHomeworkFilter, url.searchParams);
  const homework = await context.get(api).send(earlierHomework, { query: filter });
  const kept = [...url.searchParams].filter(([name]) => !(name in filter));
  return { filter, homework, kept, closeHref: closeHref(url.searchParams) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const client = context.get(api);
  const sent = await request.formData();
  const ids = [...new Set(sent.getAll('hw_ids').map(String))];
  if (ids.length === 0) return data({ msg: '请选择作业' }, { status: 422 });
  const form = await formBehind(client, url.searchParams);
  const questions = await client.ask(earlierQuestions, { params: { ids: ids.join(',') } });
  if (!questions.ok) return data({ msg: questions.msg }, { status: questions.status });
  const added = questions.data.map((question) => questionFromHomework(question, true));
  return backWith(client, withQuestions(form, added), url.searchParams, '#question');
}

export default function ChooseHistory({ loaderData, actionData }: Route.ComponentProps) {
  const { filter, homework, kept, closeHref: close } = loaderData;
  const timezone = useTimezone();
  const here = (changes = {}) =>
    `/homework/publish/history${listSearch({ ...Object.fromEntries(kept), ...filter }, changes)}`;
  return (
    <Dialog title="从历史作业选择" closeHref={close} message={actionData?.msg} width={980}>
      <form action="/homework/publish/history" className={styles.search} aria-label="查找作业">
        <HiddenFields fields={kept} />
        <input
          type="search"
          name="name"
          defaultValue={filter.name}
          aria-label="作业名称"
          placeholder="作业名称"
          maxLength={200}
          className={controlClass}
        />
        <button type="submit" className={buttonClass('plain')}>
          查询
        </button>
      </form>
      <form method="post" action={here()}>
        <ListTable
          caption="历史作业"
          columns={columnsFor(timezone)}
          rows={homework.list}
          rowKey={({ id }) => id}
          empty={
            filter.name ? (
              <>
                没有符合条件的作业，<a href={here({ name: undefined, page: undefined })}>清除筛选</a>
              </>
            ) : (
              '暂无作业'
            )
          }
        />
        <DialogActions>
          <a href={close} className={buttonClass('plain')}>
            取消
          </a>
          <button type="submit" className={buttonClass('primary')} disabled={homework.list.length === 0}>
            确定
          </button>
        </DialogActions>
      </form>
      <Pager {...homework} href={(page) => here({ page })} />
    </Dialog>
  );
}

function columnsFor(timezone: string): Column<EarlierHomework>[] {
  return [
    {
      key: 'choose',
      header: '选择',
      cell: (row) => (
        <input
          type="checkbox"
          name="hw_ids"
          value={row.id}
          id={`hw-${row.id}`}
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
          {row.status === 2 && <span className={styles.recalled}>已撤回</span>}
        </label>
      ),
    },
    { key: 'course', header: '课程', minWidth: 120, cell: (row) => row.course_title },
    { key: 'period', header: '课时', minWidth: 100, cell: (row) => row.periods_title || '-' },
    { key: 'type', header: '类型', nowrap: true, cell: (row) => homeworkTypeNames[row.type] },
    { key: 'count', header: '题数', align: 'right', cell: (row) => row.question_count },
    { key: 'publisher', header: '发布人', minWidth: 60, cell: (row) => row.publisher_name },
    { key: 'time', header: '发布时间', nowrap: true, cell: (row) => formatTime(row.publish_time, timezone) },
  ];
}
