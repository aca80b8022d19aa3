import type { TeamClassRow } from '#server/group-classes/contract.ts';
import { teachingModeNames } from '../sessions/terms.ts';
import { Fact, Facts } from '../ui/facts.tsx';
import { NearMoment } from '../ui/moment.tsx';
import { usePerson } from '../ui/use-school.ts';
import { TeamStatusTag } from './class-columns.tsx';
import styles from './group-classes.posts.module.css';

export function ClassHead({ team }: { team: TeamClassRow }) {
  const settings = usePerson()?.settings;
  return (
    <section className={styles.head} aria-labelledby="class-name">
      <h1 id="class-name">
        {team.class_name} <TeamStatusTag status={team.status} />
      </h1>
      <Facts>
        <Fact term="校区">{team.org_name}</Fact>
        {settings?.show_grade && <Fact term="年级">{team.grade_name || '-'}</Fact>}
        {settings?.show_classify && <Fact term="分类">{team.classify_name || '-'}</Fact>}
        <Fact term="科目">{team.sub_name || '-'}</Fact>
        <Fact term="授课老师">{team.teacher_name || '-'}</Fact>
        <Fact term="助教">{team.assistant_name || '-'}</Fact>
        <Fact term="授课方式">
          {teachingModeNames[team.teaching_mode]}
          {team.room_name && ` · ${team.room_name}`}
        </Fact>
        <Fact term="在读人数">{team.in_number}</Fact>
        <Fact term="上课安排">{team.schedule || '-'}</Fact>
        <Fact term="开课时间">
          <NearMoment at={team.start_time} />
        </Fact>
        {team.remarks && <Fact term="备注">{team.remarks}</Fact>}
      </Facts>
    </section>
  );
}
