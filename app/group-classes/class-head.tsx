import type { ReactNode } from 'react';
import type { TeamClassRow } from '#server/group-classes/contract.ts';
import { formatTime } from '../lib/dates.ts';
import { teachingModeNames } from '../sessions/terms.ts';
import { usePerson, useTimezone } from '../shell/use-school.ts';
import { TeamStatusTag } from './class-columns.tsx';
import styles from './group-classes.module.css';

export function ClassHead({ team }: { team: TeamClassRow }) {
  const timezone = useTimezone();
  const settings = usePerson()?.settings;
  return (
    <section className={styles.head} aria-labelledby="class-name">
      <h1 id="class-name">
        {team.class_name} <TeamStatusTag status={team.status} />
      </h1>
      <dl>
        <Term name="校区">{team.org_name}</Term>
        {settings?.show_grade && <Term name="年级">{team.grade_name || '-'}</Term>}
        {settings?.show_classify && <Term name="分类">{team.classify_name || '-'}</Term>}
        <Term name="科目">{team.sub_name || '-'}</Term>
        <Term name="授课老师">{team.teacher_name || '-'}</Term>
        <Term name="助教">{team.assistant_name || '-'}</Term>
        <Term name="授课方式">
          {teachingModeNames[team.teaching_mode]}
          {team.room_name && ` · ${team.room_name}`}
        </Term>
        <Term name="在读人数">{team.in_number}</Term>
        <Term name="上课安排">{team.schedule || '-'}</Term>
        <Term name="开课时间">{formatTime(team.start_time, timezone)}</Term>
        {team.remarks && <Term name="备注">{team.remarks}</Term>}
      </dl>
    </section>
  );
}

function Term({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
