/** List of the exams that an administrator manages, including the administrator's own drafts. */
import { Button } from '@mantine/core';
import { type AdminExam, examChoices, listAdminExams } from '#server/exams/admin.contract.ts';
import { formatScore } from '#server/platform/text/rules.ts';
import { api } from '../../api/client.server.ts';
import { requirePermission } from '../../shell/permissions.server.ts';
import { titleMeta } from '../../shell/title.ts';
import { actionsColumn, numberColumn } from '../../ui/columns.tsx';
import { choicesOf } from '../../ui/filter-form.tsx';
import { List } from '../../ui/list.tsx';
import { NearMoment } from '../../ui/moment.tsx';
import { Screen, useAddress } from '../../ui/screen.tsx';
import { SubLine } from '../../ui/sub-line.tsx';
import { Tag } from '../../ui/tag.tsx';
import { categoryChoices } from '../category.ts';
import { adminExamList, examAdd, examEdit, examPaper, examRecord } from '../screens.ts';
import { examStateChoices, examStateNames, examStateTones, formatAudience } from '../terms.ts';
import type { Route } from './+types/list';

export const meta: Route.MetaFunction = () => titleMeta('考试');

export async function loader({ context, url }: Route.LoaderArgs) {
  requirePermission(context, listAdminExams);
  const client = context.get(api);
  const [exams, { schools, classes, categories }] = await Promise.all([
    client.send(listAdminExams, { filter: adminExamList.at(url).filter }),
    client.send(examChoices),
  ]);
  return { exams, schools, classes, categories: categoryChoices(categories) };
}

export default function AdminExams({ loaderData: { exams, schools, classes, categories } }: Route.ComponentProps) {
  const view = useAddress(adminExamList);
  const { name, classify_id, state, school_id, class_id } = view.filter;
  const add = (
    <Button component="a" href={examAdd.href()}>
      添加考试
    </Button>
  );
  return (
    <Screen title="考试">
      <List<AdminExam>
        view={view}
        result={exams}
        caption="考试列表"
        columns={[
          {
            key: 'name',
            header: '考试名称',
            minWidth: 200,
            cell: (row) => (
              <>
                <a href={examRecord.href({ id: row.id })}>{row.name}</a>
                {row.category_name && <SubLine>{row.category_name}</SubLine>}
              </>
            ),
          },
          {
            key: 'state',
            header: '状态',
            nowrap: true,
            phone: 'bare',
            cell: ({ state: is }) => <Tag tone={examStateTones[is]}>{examStateNames[is]}</Tag>,
          },
          numberColumn('score', '总分', (row) => (
            <>
              {formatScore(row.score)}
              <SubLine>{row.ques_num}题</SubLine>
            </>
          )),
          { key: 'window', header: '开放时间', minWidth: 150, cell: (row) => <ExamWindow {...row} /> },
          schools.length > 1 && {
            key: 'schools',
            header: '学校',
            minWidth: 100,
            cell: (row) => row.schools.map((school) => school.name).join('、'),
          },
          {
            key: 'classes',
            header: '考试对象',
            minWidth: 100,
            cell: (row) => formatAudience(row.classes.map((one) => one.name)),
          },
          numberColumn('submitted', '已交', (row) => row.submitted || '-'),
          numberColumn('waiting', '待批改', (row) => row.waiting || '-'),
          { key: 'creator', header: '创建人', minWidth: 60, phone: 'hidden', cell: (row) => row.creator },
          actionsColumn((row) => [
            row.state === 'draft'
              ? { label: '编辑试卷', recordName: row.name, href: examPaper.href({ id: row.id }) }
              : { label: '详情', recordName: row.name, href: examRecord.href({ id: row.id }) },
            { label: '编辑信息', recordName: row.name, href: examEdit.href({ id: row.id }) },
          ]),
        ]}
        nothing="暂无考试"
        nothingFound="没有符合条件的考试"
        filters={{
          first: [
            { label: '考试名称', name: 'name', value: name },
            { label: '状态', name: 'state', value: state, choices: examStateChoices },
          ],
          more: [
            { label: '考试分类', name: 'classify_id', value: classify_id, choices: categories },
            { label: '班级', name: 'class_id', value: class_id, choices: choicesOf(classes) },
            schools.length > 1 && {
              label: '学校',
              name: 'school_id',
              value: school_id,
              choices: choicesOf(schools),
            },
          ],
          presets: [
            { label: '草稿', filter: { state: 'draft' } },
            { label: '进行中', filter: { state: 'running' } },
          ],
        }}
        actions={add}
        next={add}
      />
    </Screen>
  );
}

export function ExamWindow({ start_at, end_at }: Pick<AdminExam, 'start_at' | 'end_at'>) {
  if (start_at === null && end_at === null) return '不限';
  return (
    <>
      {start_at === null ? '发布后' : <NearMoment at={start_at} />} 至{' '}
      {end_at === null ? '不限' : <NearMoment at={end_at} />}
    </>
  );
}
