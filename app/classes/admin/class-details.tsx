import type { ClassRecord } from '#server/classes/admin.contract.ts';
import type { LessonClassRecord } from '#server/group-classes/admin.contract.ts';
import { signTypeNames } from '#server/group-classes/rules.ts';
import { formatDay } from '../../lib/dates.ts';
import { teachingModeNames } from '../../sessions/terms.ts';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { useTimezone } from '../../ui/use-school.ts';
import { adminClassList } from '../screens.ts';
import { ValidTime } from '../valid-time.tsx';

interface ClassDetailsProps {
  theClass: ClassRecord;
  /** Details of a class. `team`: further details of a group or one-to-one class. */
  team: LessonClassRecord | undefined;
  now: number;
}

export function ClassDetails({ theClass, team, now }: ClassDetailsProps) {
  const timezone = useTimezone();
  return (
    <Facts inColumns aria-label="资料">
      <Fact term="年级">{theClass.grade_name || '未设置'}</Fact>
      <Fact term="分类">{theClass.classify_name || '未设置'}</Fact>
      {team ? (
        <>
          <Fact term="讲师">{team.lecturer_name || '未设置'}</Fact>
          <Fact term="科目">{team.subject_name || '未设置'}</Fact>
          <Fact term="教室">{team.room_name || '未设置'}</Fact>
          <Fact term="授课方式">{teachingModeNames[team.teaching_mode]}</Fact>
          <Fact term="计费方式">{signTypeNames[team.sign_type]}</Fact>
          <Fact term="上课时间">{team.schedule || '未填写'}</Fact>
          <Fact term="开课日期">{formatDay(team.start_time, timezone)}</Fact>
          <Fact term="已上课次">{team.lessons_held}</Fact>
          <Fact term="备注">{team.remarks || '无'}</Fact>
        </>
      ) : (
        <>
          <Fact term="学期">{theClass.terms.map(({ name }) => name).join('、') || '未设置'}</Fact>
          <Fact term="有效期">
            <ValidTime theClass={theClass} now={now} />
          </Fact>
          <Fact term="大班">
            {theClass.large_class_id > 0 ? (
              <a href={adminClassList.href({ large_class_id: theClass.large_class_id })}>{theClass.large_class_name}</a>
            ) : (
              '不属于大班'
            )}
          </Fact>
          <Fact term="班级圈子">{theClass.is_circle_hidden === 1 ? '不显示' : '显示'}</Fact>
        </>
      )}
      <Fact term="添加时间">
        <Moment at={theClass.created_at} />
      </Fact>
      {theClass.removal_fault && <Fact term="删除">{theClass.removal_fault}</Fact>}
    </Facts>
  );
}
