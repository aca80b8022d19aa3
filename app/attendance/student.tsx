/** StudentDetail (document 3, section 2): `/classes/student?id=&uid=&class_id=`, a student of a class. */
import { data, useOutlet } from 'react-router';
import {
  exportStudentStudy,
  hasStudyTime,
  joinTypeNames,
  Paged,
  type StudyCourse,
  showClassMember,
  studyCourses,
} from '#server/attendance/contract.ts';
import { api } from '../api.server.ts';
import { classAddress } from '../classes/tabs/tab.ts';
import { formatTime } from '../lib/dates.ts';
import { readSearch } from '../lib/search.ts';
import type { ScreenHandle } from '../shell/frame.tsx';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { Fact, RecordHeader } from '../ui/record-header.tsx';
import type { Route } from './+types/student';
import { idIn, studentHref, studentPeriodsHref } from './address.ts';
import styles from './detail.module.css';
import { ExportButton } from './export-button.tsx';
import { figureColumns } from './figure-columns.tsx';
import { toFile } from './make-file.server.ts';
import { courseKind } from './terms.ts';

export const handle: ScreenHandle = { crumbs: [{ label: '班级管理', href: '/classes' }, { label: '学员详情' }] };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.member.nickname ?? '学员详情'} · 教学后台` },
];

export async function loader({ context, url }: Route.LoaderArgs) {
  const client = context.get(api);
  const id = idIn(url, 'id');
  if (id === undefined) throw data({ msg: '学员不存在' }, { status: 404 });
  const member = await client.send(showClassMember, { params: { id } });
  // With the dialog open, `page` is the one of its periods.
  const isBehind = url.pathname.endsWith('/periods');
  const paging = readSearch(Paged, isBehind ? new URLSearchParams() : url.searchParams);
  return { member, courses: await client.send(studyCourses, { params: { id }, query: paging }) };
}

export async function action({ context, url }: Route.ActionArgs) {
  const outcome = await context.get(api).ask(exportStudentStudy, { body: { id: idIn(url, 'id') } });
  return toFile(context, outcome, url);
}

export default function StudentDetail({ loaderData: { member, courses } }: Route.ComponentProps) {
  const timezone = useTimezone();
  const dialog = useOutlet();
  const here = studentHref(member);
  return (
    <>
      <main inert={dialog !== null}>
        <RecordHeader
          title={member.nickname}
          facts={
            <>
              <Fact term="昵称">{member.nickname}</Fact>
              <Fact term="手机号">{member.mobile || '-'}</Fact>
              <Fact term="班级">
                <a href={classAddress(member.class_id, 'students')}>{member.class_name}</a>
              </Fact>
              <Fact term="入班时间">{formatTime(member.created_at, timezone)}</Fact>
              <Fact term="入班方式">{joinTypeNames[member.join_type] ?? '其他'}</Fact>
              {member.left_at > 0 && <Fact term="离班时间">{formatTime(member.left_at, timezone)}</Fact>}
            </>
          }
          aside={<ExportButton action={here} />}
        />
        <ListTable
          caption="课程"
          columns={columnsFor((row) => studentPeriodsHref(member, row.course_basis_id))}
          rows={courses.list}
          rowKey={(row) => row.course_basis_id}
          empty="该班级暂无课程"
        />
        <Pager {...courses} href={(page) => studentHref(member, { page })} />
      </main>
      {dialog}
    </>
  );
}

const columnsFor = (periodsHref: (row: StudyCourse) => string): Column<StudyCourse>[] => [
  {
    key: 'title',
    header: '课程',
    minWidth: 160,
    cell: (row) => (
      <>
        {row.title}
        <span className={styles.kind}>{courseKind(row.course_type)}</span>
      </>
    ),
  },
  { key: 'section_num', header: '课时数', align: 'right', cell: (row) => row.section_num },
  ...figureColumns<StudyCourse>((row) => hasStudyTime(row.course_type)),
  {
    key: 'actions',
    header: '操作',
    nowrap: true,
    cell: (row) => (
      <a className={rowAction} href={periodsHref(row)}>
        学习详情
      </a>
    ),
  },
];
