/** Who handed in: the submission details, with the filters of either form. */
import type { AbsentStudent, SubmissionRow } from '#server/analysis/contract.ts';
import { homeworkDesk, homeworkSheet, passHref } from '../correction/screens.ts';
import { formatTime } from '../lib/dates.ts';
import { momentValue } from '../lib/zoned.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, MomentRangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { List } from '../ui/list.tsx';
import type { Column } from '../ui/list-table.tsx';
import { useAddress } from '../ui/screen.tsx';
import type { Detail, loadSubmissions } from './detail.server.ts';
import { type Scope, studentStatistics, submissions } from './screens.ts';
import { StatusTag } from './status-tag.tsx';
import styles from './submissions.module.css';
import { reportStatusChoices } from './terms.ts';

type Loaded = NonNullable<Awaited<ReturnType<typeof loadSubmissions>>>;

export function Submissions({ detail, loaded }: { detail: Detail; loaded: Loaded }) {
  const { place, timezone, may } = detail;
  const { page, absent } = loaded;
  const view = useAddress(submissions);
  const { filter } = view;
  return (
    <>
      {absent && absent.length > 0 && <Absent students={absent} />}
      <List
        view={view}
        result={page}
        caption="提交详情"
        columns={columnsFor({ place, timezone, mayCorrect: may.correct, back: view.page(page.page) })}
        rowKey={(row) => row.report_id}
        nothing="暂无学生"
        nothingFound="没有符合条件的学生"
        filters={
          <>
            <TextFilter label="学生姓名" name="nickname" value={filter.nickname} placeholder="请输入关键字" />
            {place.from ? (
              <TextFilter label="班级" name="class_name" value={filter.class_name} placeholder="请输入关键字" />
            ) : (
              <TextFilter label="手机号" name="mobile" value={filter.mobile} placeholder="请输入关键字" />
            )}
            <ChoiceFilter label="作业状态" name="status" value={filter.status} choices={reportStatusChoices} />
            {place.from && (
              <MomentRangeFilter
                label="提交时间"
                from={['start_at', momentValue(filter.start_at, timezone)]}
                to={['end_at', momentValue(filter.end_at, timezone)]}
              />
            )}
          </>
        }
      />
    </>
  );
}

interface ColumnsContext {
  place: Scope;
  timezone: string;
  mayCorrect: boolean;
  /** This list as it is shown. */
  back: string;
}

function columnsFor({ place, timezone, mayCorrect, back }: ColumnsContext): Column<SubmissionRow>[] {
  return [
    { key: 'nickname', header: '学生姓名', minWidth: 120, cell: (row) => <StudentName row={row} place={place} /> },
    { key: 'mobile', header: '手机号', nowrap: true, cell: (row) => row.mobile || '-' },
    { key: 'class_name', header: '班级', minWidth: 120, cell: (row) => row.class_name },
    { key: 'status', header: '状态', cell: (row) => <StatusTag status={row.status} /> },
    {
      key: 'updated_at',
      header: '提交时间',
      nowrap: true,
      cell: (row) => (row.status === 1 ? '-' : formatTime(row.updated_at, timezone)),
    },
    {
      key: 'actions',
      header: '操作',
      minWidth: 100,
      cell: (row) => <SubmissionAction row={row} place={place} mayCorrect={mayCorrect} back={back} />,
    },
  ];
}

/** Leads to the student's figures once there are some. */
function StudentName({ row, place }: { row: SubmissionRow; place: Scope }) {
  if (row.status === 1) return row.nickname;
  const { hw_id, class_id } = place;
  return <a href={studentStatistics.href({ hw_id, class_id, report_id: row.report_id })}>{row.nickname}</a>;
}

interface ActionProps extends Omit<ColumnsContext, 'timezone'> {
  row: SubmissionRow;
}

function SubmissionAction({ row, place, mayCorrect, back }: ActionProps) {
  const report = { report_id: row.report_id, class_id: place.class_id };
  if (mayCorrect && row.status === 2) {
    return (
      <a className={rowAction} href={passHref(homeworkDesk, { ...report, back })}>
        批改
      </a>
    );
  }
  if (row.status === 1) {
    return (
      <button type="button" className={rowAction} disabled title="学生还未提交">
        查看详情
      </button>
    );
  }
  return (
    <a className={rowAction} href={homeworkSheet.href(report)}>
      查看详情
    </a>
  );
}

function Absent({ students }: { students: AbsentStudent[] }) {
  return (
    <details className={styles.absent}>
      <summary>
        最近三次作业均未提交：<strong>{students.length}</strong> 人
      </summary>
      <p>
        统计本班最近三次已截止的作业（{students[0]?.homework.map(({ name }) => name).join('、')}
        ），仅列出目前在班的学员。
      </p>
      <ul>
        {students.map(({ id, nickname, mobile }) => (
          <li key={id}>
            {nickname}
            {mobile && <span>{mobile}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}
