import type { TeamClassRow } from '#server/group-classes/contract.ts';
import { localDay } from '../lib/dates.ts';
import { teachingModeNames } from '../sessions/terms.ts';
import { actionsColumn, numberColumn } from '../ui/columns.tsx';
import type { Column } from '../ui/list-table.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { SubLine } from '../ui/sub-line.tsx';
import { Tag } from '../ui/tag.tsx';
import { useTimezone } from '../ui/use-school.ts';
import styles from './group-classes.posts.module.css';
import { teamDetail } from './screens.ts';
import { teamStatusNames } from './terms.ts';

interface ColumnsContext {
  /** True to show a column with the school. The `show_…` flags are settings of the school. */
  hasSchools: boolean;
  show_grade: boolean;
  show_classify: boolean;
}

export const teamClassColumns = ({
  hasSchools,
  show_grade,
  show_classify,
}: ColumnsContext): (Column<TeamClassRow> | false)[] => [
  {
    key: 'name',
    header: '班级名称',
    minWidth: 130,
    cell: (row) => (
      <>
        <a href={teamDetail.href({ id: row.id })}>{row.class_name}</a>
        {row.remarks && <SubLine>备注：{row.remarks}</SubLine>}
      </>
    ),
  },
  hasSchools && { key: 'org', header: '校区', minWidth: 80, cell: (row) => row.org_name },
  show_grade && { key: 'grade', header: '年级', cell: (row) => row.grade_name || '-' },
  show_classify && { key: 'classify', header: '分类', cell: (row) => row.classify_name || '-' },
  { key: 'subject', header: '科目', cell: (row) => row.sub_name || '-' },
  { key: 'teacher', header: '授课老师', cell: (row) => row.teacher_name || '-' },
  { key: 'assistant', header: '助教', cell: (row) => row.assistant_name || '-' },
  { key: 'mode', header: '授课方式', cell: (row) => teachingModeNames[row.teaching_mode] },
  { key: 'room', header: '教室', cell: (row) => row.room_name || '-' },
  numberColumn('number', '在读人数', (row) => row.in_number),
  { key: 'sign', header: '报名方式', cell: (row) => row.sign_type_name || '-' },
  { key: 'schedule', header: '上课安排', minWidth: 90, cell: (row) => row.schedule || '-' },
  { key: 'status', header: '状态', cell: (row) => <TeamStatusTag status={row.status} /> },
  { key: 'start', header: '开课时间', minWidth: 100, cell: (row) => <Start row={row} /> },
  actionsColumn(({ id, class_name }) => [{ label: '详情', recordName: class_name, href: teamDetail.href({ id }) }]),
];

function Start({ row }: { row: TeamClassRow }) {
  const timezone = useTimezone();
  return (
    <>
      <NearMoment at={row.start_time} />
      <SubLine>
        <span className={styles.unbroken}>创建 {localDay(row.created_at, timezone)}</span>
      </SubLine>
    </>
  );
}

const statusTones = { 1: 'accent', 2: 'good', 3: 'plain' } as const;

export const TeamStatusTag = ({ status }: { status: 1 | 2 | 3 }) => (
  <Tag tone={statusTones[status]}>{teamStatusNames[status]}</Tag>
);
