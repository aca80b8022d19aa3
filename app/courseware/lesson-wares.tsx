/**
 * The courseware of one lesson as a list, for every screen that shows a lesson.
 *
 * - `wares`: the answer of `listLessonWares` with the lesson's `times_id` and `times_type`.
 * - `removeHref`: the address of the question before removing; left out, nothing is removable. Usually
 *   `(ware) => `/courseware/lesson/${ware.id}/remove?times_id=…&times_type=…&return=<this screen>``.
 *
 * The buttons to add are the screen's: `lessonAddress('upload' | 'choose', …)` gives their addresses.
 */
import type { LessonWare } from '#server/courseware/contract.ts';
import { formatTime } from '../lib/dates.ts';
import { searchOf } from '../lib/search.ts';
import { useTimezone } from '../shell/use-school.ts';
import { rowAction } from '../ui/button.tsx';
import { type Column, ListTable } from '../ui/list-table.tsx';
import styles from './courseware.module.css';
import { fileColumn, nameColumn, PreviewLinks, typeColumn } from './ware-columns.tsx';

interface LessonWaresProps {
  wares: LessonWare[];
  removeHref?: (ware: LessonWare) => string;
}

export function LessonWares({ wares, removeHref }: LessonWaresProps) {
  const timezone = useTimezone();
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
          {removeHref && row.is_owner === 1 && (
            <a className={rowAction} href={removeHref(row)} aria-label={`移除${row.ware_name}`}>
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

interface LessonPlace {
  times_id: number | string;
  times_type: number | string | undefined;
  /** Where to go back to; the lesson's own courseware screen without. */
  back?: string | undefined;
}

/** Addresses of what can be done with a lesson's courseware. */
export function lessonAddress(
  what: 'list' | 'upload' | 'choose' | `${number}/remove`,
  { times_id, times_type, back }: LessonPlace,
): string {
  const path =
    what === 'list' ? '/courseware/lesson' : what === 'choose' ? '/courseware/choose' : `/courseware/lesson/${what}`;
  return path + searchOf({ times_id, times_type, return: back });
}
