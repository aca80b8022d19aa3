/** Who handed in: the submission details (document 2, section 2.1), with the filters of either form. */
import type {
  AbsentStudent,
  ArrangedSubmissionFilter,
  SubmissionFilter,
  SubmissionRow,
} from '#server/analysis/contract.ts';
import { formatTime, localValue } from '../lib/dates.ts';
import { rowAction } from '../ui/button.tsx';
import { ChoiceFilter, FilterForm, MomentRangeFilter, TextFilter } from '../ui/filter-form.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import { Pager } from '../ui/pager.tsx';
import { detailHref, type Place, placeSearch } from './address.ts';
import type { Detail, loadSubmissions } from './detail.server.ts';
import { StatusTag } from './status-tag.tsx';
import styles from './submissions.module.css';
import { reportStatusChoices } from './terms.ts';

type Loaded = NonNullable<Awaited<ReturnType<typeof loadSubmissions>>>;

export function Submissions({ detail, loaded }: { detail: Detail; loaded: Loaded }) {
  const { place, timezone, may } = detail;
  const { page, absent } = loaded;
  const filter: Partial<SubmissionFilter & ArrangedSubmissionFilter> = loaded.filter;
  const reset = detailHref(place, 0);
  const moment = (seconds: number | undefined) => (seconds === undefined ? undefined : localValue(seconds, timezone));
  const filtered = Object.entries(filter).some(
    ([name, value]) => value !== undefined && name !== 'page' && name !== 'limit',
  );
  const here = (number: number) =>
    detailHref(place, 0, {
      ...filter,
      page: number === 1 ? undefined : number,
      limit: filter.limit === 10 ? undefined : filter.limit,
    });
  return (
    <>
      {absent && absent.length > 0 && <Absent students={absent} />}
      <FilterForm action={place.base} keep={placeSearch(place)} resetHref={reset}>
        <TextFilter label="学生姓名" name="nickname" value={filter.nickname} placeholder="请输入关键字" />
        {place.arranged ? (
          <TextFilter label="班级" name="class_name" value={filter.class_name} placeholder="请输入关键字" />
        ) : (
          <TextFilter label="手机号" name="mobile" value={filter.mobile} placeholder="请输入关键字" />
        )}
        <ChoiceFilter label="作业状态" name="status" value={filter.status} choices={reportStatusChoices} />
        {place.arranged && (
          <MomentRangeFilter
            label="提交时间"
            from={['start_at', moment(filter.start_at)]}
            to={['end_at', moment(filter.end_at)]}
          />
        )}
      </FilterForm>
      <ListTable
        caption="提交详情"
        columns={columnsFor({ place, timezone, mayCorrect: may.correct })}
        rows={page.list}
        rowKey={(row) => row.report_id}
        empty={
          filtered ? (
            <>
              没有符合条件的学生，<a href={reset}>清除筛选</a>
            </>
          ) : (
            '暂无学生'
          )
        }
      />
      <Pager {...page} href={here} />
    </>
  );
}

interface ColumnsContext {
  place: Place;
  timezone: string;
  mayCorrect: boolean;
}

function columnsFor({ place, timezone, mayCorrect }: ColumnsContext): Column<SubmissionRow>[] {
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
      cell: (row) => <SubmissionAction row={row} place={place} mayCorrect={mayCorrect} />,
    },
  ];
}

/** Leads to the student's figures once there are some. */
function StudentName({ row, place }: { row: SubmissionRow; place: Place }) {
  if (row.status === 1) return row.nickname;
  const search = `hw_id=${place.hwId}&class_id=${place.classId}&report_id=${row.report_id}`;
  return <a href={`/homework/student-statistics?${search}`}>{row.nickname}</a>;
}

function SubmissionAction({ row, place, mayCorrect }: { row: SubmissionRow; place: Place; mayCorrect: boolean }) {
  const search = `report_id=${row.report_id}&class_id=${place.classId}`;
  if (mayCorrect && row.status === 2) {
    return (
      <a className={rowAction} href={`/homework/approve?${search}`}>
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
    <a className={rowAction} href={`/homework/approve/view?${search}`}>
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
