/** The courseware of one lesson, for every screen that shows a lesson: the list, and the buttons that add to it. */
import { Button } from '@mantine/core';
import type { LessonWare } from '#server/courseware/contract.ts';
import { formatTime } from '../lib/dates.ts';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import styles from './courseware.module.css';
import { lessonCourseware, wareChoice, wareDetach, wareUpload } from './screens.ts';
import { fileColumn, nameColumn, PreviewLinks, typeColumn } from './ware-columns.tsx';

interface LessonPlace {
  lesson: { id: number; class_type: 1 | 3 };
  /** The screen to go back to, where it is not the lesson's courseware. */
  back?: string;
}

const placeOf = ({ lesson, back }: LessonPlace) => ({
  times_id: lesson.id,
  times_type: lesson.class_type,
  return: back,
});

export function LessonWares({ wares, ...place }: LessonPlace & { wares: LessonWare[] }) {
  const timezone = useTimezone();
  const here = lessonCourseware.href(placeOf(place));
  const columns: Column<LessonWare>[] = [
    nameColumn(),
    typeColumn(),
    fileColumn(),
    { key: 'by', header: '添加人', minWidth: 60, cell: (row) => row.nickname },
    { key: 'time', header: '添加时间', nowrap: true, cell: (row) => formatTime(row.created_at, timezone) },
    {
      key: 'actions',
      header: '操作',
      cell: (row) => (
        <div className={styles.actions}>
          <PreviewLinks fid={row.fid} name={row.ware_name} />
          {row.is_owner === 1 && (
            <a className={rowAction} href={wareDetach.href(here, { id: row.id })} aria-label={`移除${row.ware_name}`}>
              移除
            </a>
          )}
        </div>
      ),
    },
  ];
  return (
    <ListTable caption="课次课件" columns={columns} rows={wares} rowKey={({ id }) => id} empty="该课次还没有课件" />
  );
}

/** Where wares may be added. */
export function AddLessonWares({ tone = 'plain', ...place }: LessonPlace & { tone?: 'plain' | 'primary' }) {
  const lesson = placeOf(place);
  return (
    <div className="no-print">
      <Button component="a" href={wareChoice.href(lesson)} variant="default">
        从课件库选择
      </Button>
      <Button
        component="a"
        href={wareUpload.href(lessonCourseware.href(lesson))}
        variant={tone === 'plain' ? 'default' : 'filled'}
      >
        上传课件
      </Button>
    </div>
  );
}
