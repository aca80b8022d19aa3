/** Courseware of a lesson: a list and buttons to add. Used by every screen that shows a lesson. */
import { Button } from '@mantine/core';
import type { LessonMaterial } from '#server/courseware/contract.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { ListTable } from '../ui/list-table.tsx';
import { timeColumn } from '../ui/moment.tsx';
import { fileActions, fileColumn, nameColumn, typeColumn } from './material-columns.tsx';
import { lessonCourseware, materialChoice, materialDetach, materialUpload } from './screens.ts';

interface LessonPlace {
  lesson: { id: number; class_type: 1 | 3 };
  /** Address to return to, if it is not the lesson's courseware. */
  back?: string;
}

const placeOf = ({ lesson, back }: LessonPlace) => ({
  times_id: lesson.id,
  times_type: lesson.class_type,
  return: back,
});

export function LessonMaterials({ wares: materials, ...place }: LessonPlace & { wares: LessonMaterial[] }) {
  const here = lessonCourseware.href(placeOf(place));
  return (
    <ListTable<LessonMaterial>
      caption="课次课件"
      columns={[
        nameColumn(),
        typeColumn,
        fileColumn,
        { key: 'by', header: '添加人', minWidth: 60, cell: (row) => row.nickname },
        timeColumn('time', '添加时间', (row) => row.created_at),
        actionsColumn((row) => [
          ...fileActions(row),
          row.is_owner === 1 && {
            label: '移除',
            recordName: row.ware_name,
            href: materialDetach.href(here, { id: row.id }),
            danger: true,
          },
        ]),
      ]}
      rows={materials}
      rowKey={({ id }) => id}
      empty="该课次还没有课件"
    />
  );
}

export function AddLessonMaterials({ tone = 'plain', ...place }: LessonPlace & { tone?: 'plain' | 'primary' }) {
  const lesson = placeOf(place);
  return (
    <div className="no-print">
      <Button component="a" href={materialChoice.href(lesson)} variant="default">
        从课件库选择
      </Button>
      <Button
        component="a"
        href={materialUpload.href(lessonCourseware.href(lesson))}
        variant={tone === 'plain' ? 'default' : undefined}
      >
        上传课件
      </Button>
    </div>
  );
}
